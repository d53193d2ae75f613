/// Writing JSON's scalars.
extension ByteWriter {
  @inline(__always)
  func append(_ bool: Bool) {
    if bool { append("true") } else { append("false") }
  }

  @inline(__always)
  func append(_ integer: some FixedWidthInteger) {
    if integer.bitWidth > 64 { return append(ascii: "\(integer)") }
    write(room: 20) { output in
      var magnitude = UInt64(truncatingIfNeeded: integer.magnitude)
      let isNegative = integer < 0
      var digits = 1
      var bound: UInt64 = 10
      while magnitude >= bound {
        digits &+= 1
        if digits == 20 { break }
        bound &*= 10
      }
      let count = digits &+ (isNegative ? 1 : 0)
      output[0] = ASCII.minus
      var index = count
      for _ in 0..<digits {
        index &-= 1
        let (rest, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
        output[index] = 0x30 &+ UInt8(truncatingIfNeeded: digit)
        magnitude = rest
      }
      return count
    }
  }

  /// Writes the shortest digits that parse to the same number; integers have no fraction, as in Foundation.
  func append<T: BinaryFloatingPoint & LosslessStringConvertible>(finite number: T) {
    if T.self == Double.self, append(short: reinterpret(number, as: Double.self)) { return }
    var text = number.description
    text.withUTF8 { digits in
      let isWhole = digits.count > 2 && digits[digits.count - 1] == 0x30 && digits[digits.count - 2] == 0x2E
      append(UnsafeBufferPointer(rebasing: digits.prefix(digits.count - (isWhole ? 2 : 0))))
    }
  }

  /// Writes a number that has up to four decimals, as most do; false for another one.
  ///
  /// Its digits are the shortest: two decimals of up to 15 digits are never the same number.
  @inline(__always)
  private func append(short number: Double) -> Bool {
    let scaled = number.magnitude * 10_000
    guard scaled < 1e15 else { return false }
    let digits = Int(scaled + 0.5)
    guard digits > 0, Double(digits) / 10_000 == number.magnitude else { return false }
    if number < 0 { append(ASCII.minus) }
    append(digits / 10_000)
    var rest = digits % 10_000
    if rest == 0 { return true }
    write(room: 5) { output in
      output[0] = ASCII.dot
      var count = 1
      while rest > 0 {
        output[count] = ASCII.zero &+ UInt8(truncatingIfNeeded: rest / 1000)
        rest = rest % 1000 * 10
        count &+= 1
      }
      return count
    }
    return true
  }

  /// Writes a string in quotes, with the escapes that it needs (RFC 8259 §7).
  @inline(__always)
  func append(_ text: String, escapesSlashes: Bool) {
    var text = text
    text.withUTF8 { append(quoting: $0, escapesSlashes) }
  }

  func append(quoting text: UnsafeBufferPointer<UInt8>, _ escapesSlashes: Bool) {
    append(ASCII.quote)
    let source = ByteView(UnsafeRawBufferPointer(text))
    var start = 0
    while start < source.count {
      // In pieces, because six bytes are reserved for each byte: a control character can take that many.
      let end = min(start &+ 4096, source.count)
      write(room: 6 * (end &- start) &+ 16) { Self.escape(source, start, end, $0, escapesSlashes) }
      start = end
    }
    append(ASCII.quote)
  }

  /// Writes a range of a string, and returns the number of bytes written.
  @inline(__always)
  private static func escape(
    _ source: ByteView, _ start: Int, _ end: Int, _ output: UnsafeMutablePointer<UInt8>, _ escapesSlashes: Bool
  ) -> Int {
    var index = start
    var written = 0
    while index &+ 16 <= end {
      let chunk = source.load16(index)
      UnsafeMutableRawPointer(output + written).storeBytes(of: chunk, as: SIMD16<UInt8>.self)
      let clean = firstLane(words(needsEscape(chunk, escapesSlashes))) ?? 16
      index &+= clean
      written &+= clean
      if clean < 16 {
        written &+= escape(source[index], output + written, escapesSlashes)
        index &+= 1
      }
    }
    // Names and most texts are shorter than a block.
    if index &+ 8 <= end {
      let word = source.load8(index)
      if !needsEscape(word, escapesSlashes) {
        UnsafeMutableRawPointer(output + written).storeBytes(of: word.littleEndian, as: UInt64.self)
        index &+= 8
        written &+= 8
      }
    }
    if index &+ 4 <= end {
      let word = source.load4(index)
      if !needsEscape(UInt64(word) | 0x4141_4141 << 32, escapesSlashes) {
        UnsafeMutableRawPointer(output + written).storeBytes(of: word.littleEndian, as: UInt32.self)
        index &+= 4
        written &+= 4
      }
    }
    while index < end {
      written &+= escape(source[index], output + written, escapesSlashes)
      index &+= 1
    }
    return written
  }

  /// Whether one of eight bytes needs an escape.
  @inline(__always)
  private static func needsEscape(_ word: UInt64, _ escapesSlashes: Bool) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    /// Sets the top bit of each byte that is less than `limit`. Bytes above such a byte can have it set too.
    func below(_ limit: UInt8, _ word: UInt64) -> UInt64 { (word &- ones &* UInt64(limit)) & ~word }
    func equal(_ byte: UInt8) -> UInt64 { below(1, word ^ ones &* UInt64(byte)) }
    let found =
      below(0x20, word) | equal(ASCII.quote) | equal(ASCII.backslash) | equal(escapesSlashes ? 0x2F : ASCII.quote)
    return found & 0x8080_8080_8080_8080 != 0
  }

  @inline(__always)
  private static func needsEscape(_ chunk: SIMD16<UInt8>, _ escapesSlashes: Bool) -> SIMDMask<SIMD16<Int8>> {
    let slash = lanes(of: escapesSlashes ? 0x2F : ASCII.quote)
    return (chunk .< lanes(of: 0x20)) .| (chunk .== lanes(of: ASCII.quote)) .| (chunk .== lanes(of: ASCII.backslash))
      .| (chunk .== slash)
  }

  /// Writes a byte of a string, and returns the number of bytes written.
  @inline(__always)
  private static func escape(_ byte: UInt8, _ output: UnsafeMutablePointer<UInt8>, _ escapesSlashes: Bool) -> Int {
    if byte >= 0x20, byte != ASCII.quote, byte != ASCII.backslash, byte != 0x2F || !escapesSlashes {
      output[0] = byte
      return 1
    }
    if byte >= 0x20 {
      output[0] = ASCII.backslash
      output[1] = byte
      return 2
    }
    return escapeControl(byte, output)
  }

  @inline(never)
  private static func escapeControl(_ byte: UInt8, _ output: UnsafeMutablePointer<UInt8>) -> Int {
    output[0] = ASCII.backslash
    switch byte {
    case 0x08: output[1] = UInt8(ascii: "b")
    case 0x09: output[1] = UInt8(ascii: "t")
    case 0x0A: output[1] = UInt8(ascii: "n")
    case 0x0C: output[1] = UInt8(ascii: "f")
    case 0x0D: output[1] = UInt8(ascii: "r")
    default:
      let hex: StaticString = "0123456789abcdef"
      output[1] = UInt8(ascii: "u")
      output[2] = 0x30
      output[3] = 0x30
      output[4] = hex.utf8Start[Int(byte >> 4)]
      output[5] = hex.utf8Start[Int(byte & 15)]
      return 6
    }
    return 2
  }
}
