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

  /// The same for a string whose first backslash is known.
  private func escapedString(_ start: Int, firstEscape: Int) -> String? {
    var end = firstEscape
    let count = unescape(start &+ 1, &end)
    if count < 0 { return nil }
    took(start, end)
    return makeString(ByteView(core.pointee.scratch, count: count), isASCII: false)
  }

  /// Unescapes the string whose first byte is at `start` into `scratch`.
  func unescape(_ start: Int) -> Int {
    var end = start
    return unescape(start, &end)
  }

  /// The same for a string without escapes before `end`, which is set to the index after the string. Escapes and UTF-8
  /// are validated.
  ///
  /// Returns the length in UTF-8, or -1 with a fault recorded. An unpaired surrogate is not a character and makes the
  /// string unreadable: it conforms to JSON's grammar but is not valid Unicode.
  @inline(never)
  private func unescape(_ start: Int, _ end: inout Int) -> Int {
    let text = text
    var index = end
    var count = index &- start
    makeScratch(count &+ 32)
    core.pointee.scratch.update(from: text.base + start, count: count)
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
        end = index &+ 1
        if lone < 0 { return count }
        core.pointee.unreadable = lone
        return -1
      }
      if byte == 0x5C {
        guard let end = escape(index, &count, &lone) else { break }
        index = end
      } else if byte >= 0x80 {
        let end = text.skipText(index, &wide)
        if end < 0 {
          setFault(~end)
          return -1
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
    return -1
  }

  /// Writes the result of the escape at `index` after `count` bytes, and returns the index after the escape; nil if it
  /// is invalid. The first unpaired surrogate is recorded in `lone`, unless it is replaced.
  @inline(__always)
  private func escape(_ index: Int, _ count: inout Int, _ lone: inout Int) -> Int? {
    let (scalar, end) = text.escapedScalar(index)
    if scalar < 0 { return nil }
    let isLone = scalar & ~0x7FF == 0xD800
    if isLone, !core.pointee.replacesSurrogates {
      if lone < 0 { lone = index }
    } else {
      count &+= writeUTF8(isLone ? 0xFFFD : scalar, core.pointee.scratch + count)
    }
    return end
  }

  /// Reserves the given number of bytes in `scratch`.
  @inline(__always)
  private func makeScratch(_ capacity: Int, keeping used: Int = 0) {
    if capacity > core.pointee.scratchCapacity { growScratch(capacity, used) }
  }

  @inline(never)
  private func growScratch(_ least: Int, _ used: Int) {
    // A scanner outside a decode begins without memory.
    if core.pointee.scratchCapacity == 0 { core.pointee.scratch = .allocate(capacity: 0) }
    core.pointee.scratchCapacity = max(core.pointee.scratchCapacity * 2, 256, least)
    core.pointee.scratch.grow(to: core.pointee.scratchCapacity, keeping: used)
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
