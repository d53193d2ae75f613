extension JSONScanner {
  /// Returns the string at `value`; nil if it is not a string, or a fault was recorded.
  @inline(__always)
  func string(_ value: UInt32) -> String? {
    guard value != absentValue, text[Int(value)] == 0x22 else { return nil }
    return quotedString(Int(value))
  }

  /// Returns the string that is the member's value, which may have been skipped before; nil as above.
  @inline(__always)
  func string(_ member: KeyEntry) -> String? {
    let known = member.text
    if known == 0 { return string(member.value) }
    let start = Int(member.value) &+ 1
    let count = Int(known >> 1)
    took(start &- 1, start &+ count &+ 1)
    return makeString(ByteView(text.base + start, count: count), isASCII: known & 1 == 0)
  }

  /// The string whose opening quote is at `start`; nil with a fault recorded.
  @inline(never)
  func quotedString(_ start: Int) -> String? {
    var wide = false
    let end = text.skipText(start &+ 1, &wide)
    guard end >= 0, text[end] >= 0x20 else {
      setFault(end < 0 ? ~end : end)
      return nil
    }
    guard text[end] == 0x22 else { return escapedString(start, firstEscape: end) }
    took(start, end &+ 1)
    return makeString(ByteView(text.base + start + 1, count: end &- start &- 1), isASCII: !wide)
  }

  /// The same for a string whose first backslash is known: validated and unescaped in one pass.
  @inline(never)
  private func escapedString(_ start: Int, firstEscape: Int) -> String? {
    let text = text
    var count = firstEscape &- start &- 1
    makeScratch(count &+ 32)
    core.pointee.scratch.update(from: text.base + start + 1, count: count)
    var index = firstEscape
    var lone = -1
    var wide = false
    while index < text.count {
      makeScratch(count &+ 32, keeping: count)
      // Local copies, because every byte that is stored could be one of the originals.
      let (scratch, limit) = (UnsafeMutableRawPointer(core.pointee.scratch), core.pointee.scratchCapacity &- 32)
      var lane: Int?
      while lane == nil, index &+ 16 <= text.count, count <= limit {
        let block = text.load16(index)
        scratch.storeBytes(of: block, toByteOffset: count, as: SIMD16<UInt8>.self)
        lane = firstUnusual(block)
        index &+= lane ?? 16
        count &+= lane ?? 16
      }
      if lane == nil, count > limit || index == text.count { continue }
      let byte = text[index]
      if byte == 0x22 {
        guard lone < 0 else {
          core.pointee.unreadable = lone
          return nil
        }
        took(start, index &+ 1)
        return makeString(ByteView(core.pointee.scratch, count: count), isASCII: false)
      }
      if byte == 0x5C {
        guard let end = escape(index, &count, &lone) else { break }
        index = end
      } else if byte >= 0x80 {
        let end = text.skipText(index, &wide)
        if end < 0 {
          setFault(~end)
          return nil
        }
        makeScratch(count &+ end &- index, keeping: count)
        (core.pointee.scratch + count).update(from: text.base + index, count: end &- index)
        count &+= end &- index
        index = end
      } else if byte >= 0x20 {
        core.pointee.scratch[count] = byte
        count &+= 1
        index &+= 1
      } else {
        break
      }
    }
    setFault(min(index, text.count))
    return nil
  }

  /// Writes the result of the escape at `index` after `count` bytes, and returns the index after the escape; nil if it
  /// is invalid. The first unpaired surrogate is recorded in `lone`, unless it is replaced.
  @inline(__always)
  private func escape(_ index: Int, _ count: inout Int, _ lone: inout Int) -> Int? {
    guard index &+ 1 < text.count else { return nil }
    if text[index &+ 1] == 0x75 {
      let (scalar, end) = unicodeEscape(index)
      if scalar >= 0 {
        count = append(scalar, at: count)
      } else if end == index {
        return nil
      } else if core.pointee.replacesSurrogates {
        count = append(0xFFFD, at: count)
      } else if lone < 0 {
        lone = index
      }
      return end
    }
    guard let plain = Self.plainEscape(text[index &+ 1]) else { return nil }
    core.pointee.scratch[count] = plain
    count &+= 1
    return index &+ 2
  }

  /// Unescapes the string whose first byte is at `start` into `scratch`.
  ///
  /// Returns the length in UTF-8, or -1 with a fault recorded. An unpaired surrogate is not a character and makes the
  /// string unreadable: it conforms to JSON's grammar but is not valid Unicode.
  @inline(never)
  func unescape(_ start: Int) -> Int {
    let text = text
    var index = start
    var count = 0
    var lone = -1
    while index < text.count {
      makeScratch(count &+ 16, keeping: count)
      let scratch = core.pointee.scratch
      // Eight bytes are copied; only those before a quote, a backslash or a control character count.
      if index &+ 8 <= text.count {
        let word = text.load8(index)
        let quote = word ^ 0x2222_2222_2222_2222
        let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let ones: UInt64 = 0x0101_0101_0101_0101
        let special =
          (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- 0x2020_2020_2020_2020) & ~word
        UnsafeMutableRawPointer(scratch).storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
        let plain = (special & 0x8080_8080_8080_8080).trailingZeroBitCount >> 3
        index &+= plain
        count &+= plain
        if plain == 8 { continue }
      }
      let byte = text[index]
      if byte == 0x22 {
        if lone < 0 { return count }
        core.pointee.unreadable = lone
        return -1
      }
      if byte < 0x20 { break }
      guard byte == 0x5C else {
        scratch[count] = byte
        count &+= 1
        index &+= 1
        continue
      }
      guard let end = escape(index, &count, &lone) else { break }
      index = end
    }
    setFault(min(index, text.count))
    return -1
  }

  private static func plainEscape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x22, 0x5C, 0x2F: byte
    case 0x62: 0x08
    case 0x66: 0x0C
    case 0x6E: 0x0A
    case 0x72: 0x0D
    case 0x74: 0x09
    default: nil
    }
  }

  /// Returns the scalar of the `\u` escape at `index`, or of two that form a surrogate pair, and the index after it.
  /// The scalar is -1 for an unpaired surrogate, and the end is `index` for an invalid escape.
  private func unicodeEscape(_ index: Int) -> (scalar: Int, end: Int) {
    let first = text.hex4(index &+ 2)
    let end = index &+ 6
    if first < 0 { return (-1, index) }
    guard first & 0xF800 == 0xD800 else { return (first, end) }
    guard first < 0xDC00, end &+ 6 <= text.count, text[end] == 0x5C, text[end &+ 1] == 0x75 else {
      return (-1, end)
    }
    let second = text.hex4(end &+ 2)
    guard second >= 0, second & 0xFC00 == 0xDC00 else { return (-1, end) }
    return (0x10000 &+ (first & 0x3FF) << 10 &+ (second & 0x3FF), end &+ 6)
  }

  /// Writes a scalar as UTF-8 and returns the new length; there is space for it.
  private func append(_ scalar: Int, at count: Int) -> Int {
    let target = core.pointee.scratch + count
    func tail(_ shift: Int) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3F) }
    if scalar < 0x80 {
      target[0] = UInt8(scalar)
      return count &+ 1
    }
    if scalar < 0x800 {
      target[0] = UInt8(0xC0 | scalar >> 6)
      target[1] = tail(0)
      return count &+ 2
    }
    if scalar < 0x10000 {
      target[0] = UInt8(0xE0 | scalar >> 12)
      target[1] = tail(6)
      target[2] = tail(0)
      return count &+ 3
    }
    target[0] = UInt8(0xF0 | scalar >> 18)
    target[1] = tail(12)
    target[2] = tail(6)
    target[3] = tail(0)
    return count &+ 4
  }

  /// Reserves the given number of bytes in `scratch`.
  @inline(__always)
  private func makeScratch(_ capacity: Int, keeping used: Int = 0) {
    if capacity > core.pointee.scratchCapacity { growScratch(capacity, used) }
  }

  @inline(never)
  private func growScratch(_ least: Int, _ used: Int) {
    let capacity = max(core.pointee.scratchCapacity * 2, 256, least)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    grown.initialize(repeating: 0, count: capacity)
    grown.update(from: core.pointee.scratch, count: used)
    if core.pointee.scratchCapacity > 0 { core.pointee.scratch.deallocate() }
    core.pointee.scratch = grown
    core.pointee.scratchCapacity = capacity
  }
}

/// Creates a string from bytes that are known to be UTF-8, without validating them again if the system supports that.
@inline(__always)
func makeString(_ bytes: ByteView, isASCII: Bool) -> String {
  if #available(macOS 26, iOS 26, tvOS 26, visionOS 26, *) {
    // Skipping validation is safe: `skipText` and `unescape` accept only valid UTF-8.
    let buffer = UnsafeBufferPointer(start: bytes.base, count: bytes.count)
    return String(copying: UTF8Span(unchecked: buffer.span, isKnownASCII: isASCII))
  }
  return makeCheckedString(bytes)
}

/// The same for systems without `UTF8Span`: validates again, and costs twice as much.
func makeCheckedString(_ bytes: ByteView) -> String {
  String(decoding: UnsafeBufferPointer(start: bytes.base, count: bytes.count), as: UTF8.self)
}
