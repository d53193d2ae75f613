extension ByteView {
  /// Returns the scalar that the escape at `index` represents, and the index after it; -1 if the escape is invalid.
  ///
  /// Two escapes that form a surrogate pair are one scalar. An unpaired surrogate is returned as it is.
  @inline(__always)
  func escapedScalar(_ index: Int) -> (scalar: Int, end: Int) {
    guard index &+ 1 < count else { return (-1, index) }
    let kind = self[index &+ 1]
    switch kind {
    case 0x22, 0x5C, 0x2F: return (Int(kind), index &+ 2)
    case 0x62: return (0x08, index &+ 2)
    case 0x66: return (0x0C, index &+ 2)
    case 0x6E: return (0x0A, index &+ 2)
    case 0x72: return (0x0D, index &+ 2)
    case 0x74: return (0x09, index &+ 2)
    case 0x75: return unicodeEscape(index)
    default: return (-1, index)
    }
  }

  private func unicodeEscape(_ index: Int) -> (scalar: Int, end: Int) {
    let first = hex4(index &+ 2)
    let end = index &+ 6
    guard first & 0xFC00 == 0xD800, end &+ 6 <= count, self[end] == 0x5C, self[end &+ 1] == 0x75 else {
      return (first, end)
    }
    let second = hex4(end &+ 2)
    guard second >= 0, second & 0xFC00 == 0xDC00 else { return (first, end) }
    return (0x10000 &+ (first & 0x3FF) << 10 &+ (second & 0x3FF), end &+ 6)
  }

  /// Returns the value of the four hexadecimal digits at `index`, or -1.
  private func hex4(_ index: Int) -> Int {
    guard index &+ 4 <= count else { return -1 }
    var value = 0
    for offset in index..<(index &+ 4) {
      let byte = self[offset]
      guard isHex(byte) else { return -1 }
      value = value << 4 | Int(byte <= 0x39 ? byte &- 0x30 : (byte | 0x20) &- 0x57)
    }
    return value
  }

  /// Returns the bytes between the quotes of a string that was skipped before, with escapes resolved to UTF-8.
  ///
  /// An unpaired surrogate becomes the three bytes that UTF-8 would use for it, so that strings remain different if
  /// their texts are. As a `String` it is U+FFFD.
  func unescaped(_ range: Range<Int>) -> [UInt8] {
    let escaped = buffer(range.lowerBound, range.upperBound)
    guard escaped.contains(ASCII.backslash) else { return Array(escaped) }
    let text = ByteView(UnsafeRawBufferPointer(escaped))
    // No escape is shorter than its scalar.
    return Array(unsafeUninitializedCapacity: text.count) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      var index = 0
      while index < text.count {
        let (scalar, end) = text[index] == ASCII.backslash ? text.escapedScalar(index) : (-1, index)
        if scalar < 0 {
          target[count] = text[index]
          count += 1
          index += 1
        } else {
          count += writeUTF8(scalar, target + count)
          index = end
        }
      }
    }
  }
}

/// Writes a scalar, or an unpaired surrogate in the same way, as UTF-8 and returns the number of bytes; there is space.
@inline(__always)
func writeUTF8(_ scalar: Int, _ target: UnsafeMutablePointer<UInt8>) -> Int {
  func tail(_ shift: Int) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
  if scalar < 0x80 {
    target[0] = UInt8(truncatingIfNeeded: scalar)
    return 1
  }
  if scalar < 0x800 {
    target[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
    target[1] = tail(0)
    return 2
  }
  if scalar < 0x10000 {
    target[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
    target[1] = tail(6)
    target[2] = tail(0)
    return 3
  }
  target[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
  target[1] = tail(12)
  target[2] = tail(6)
  target[3] = tail(0)
  return 4
}

@inline(__always)
func isHex(_ byte: UInt8) -> Bool {
  (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}
