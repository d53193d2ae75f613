extension ByteView {
  /// The length of the UTF-8 sequence at `index`, or 0 where there is none (RFC 3629: no overlong forms, no
  /// surrogates).
  @inline(__always)
  func characterLength(_ index: Int) -> Int {
    let first = self[index]
    if first < 0x80 { return 1 }
    if first < 0xE0 { return first >= 0xC2 && index &+ 1 < count && isContinuation(index &+ 1) ? 2 : 0 }
    if first < 0xF0 {
      guard index &+ 2 < count, isContinuation(index &+ 1), isContinuation(index &+ 2) else { return 0 }
      if first == 0xE0 && self[index &+ 1] < 0xA0 { return 0 }
      if first == 0xED && self[index &+ 1] > 0x9F { return 0 }
      return 3
    }
    guard first <= 0xF4, index &+ 3 < count else { return 0 }
    guard isContinuation(index &+ 1), isContinuation(index &+ 2), isContinuation(index &+ 3) else { return 0 }
    if first == 0xF0 && self[index &+ 1] < 0x90 { return 0 }
    if first == 0xF4 && self[index &+ 1] > 0x8F { return 0 }
    return 4
  }

  /// Skips text up to a quote, a backslash or a control character, checking UTF-8; `~index` of what is none, or of the
  /// text's end. `start` is where a character begins; `wide` is set where there is one outside ASCII.
  @inline(__always)
  func skipText(_ start: Int, _ wide: inout Bool) -> Int {
    var index = start
    while index &+ 16 <= count {
      guard let lane = firstUnusual(load16(index)) else {
        index &+= 16
        continue
      }
      index &+= lane
      if self[index] < 0x80 { return index }
      wide = true
      index = skipWideText(index)
      if index < 0 || index < count && isTextEnd(self[index]) { return index }
    }
    return skipShortText(index, to: count, &wide)
  }

  /// The same from a character outside ASCII on, until sixteen bytes are ASCII, or fewer are left.
  ///
  /// In a block of sixteen bytes, continuations have to be where the first bytes of characters want them, and nowhere
  /// else. First bytes with further conditions (RFC 3629 §4: E0, ED, and from F0 on, as in some scripts and emoji), and
  /// what is no UTF-8, are looked at one by one.
  @inline(never)
  private func skipWideText(_ start: Int) -> Int {
    var index = start
    var wide = true
    while index &+ 16 <= count {
      let block = load16(index)
      let ends = bits(
        (block .== lanes(of: 0x22)) .| (block .== lanes(of: 0x5C)) .| (block .< lanes(of: 0x20)))
      let highs = bits(block .>= lanes(of: 0x80))
      if highs == 0 { return ends == 0 ? index &+ 16 : index &+ ends.trailingZeroBitCount }
      let limit = ends == 0 ? 16 : ends.trailingZeroBitCount
      let isSpecial =
        (block .>= lanes(of: 0xF0)) .| (block .== lanes(of: 0xE0)) .| (block .== lanes(of: 0xED))
        .| (block .== lanes(of: 0xC0)) .| (block .== lanes(of: 0xC1))
      let range: UInt64 = 1 << UInt64(limit) &- 1
      let continuations = bits((block & lanes(of: 0xC0)) .== lanes(of: 0x80)) & range
      let firsts = highs & range & ~continuations
      let threes = bits((block & lanes(of: 0xF0)) .== lanes(of: 0xE0)) & range
      let wanted = firsts << 1 | threes << 2
      if bits(isSpecial) & range == 0 {
        if limit < 16, wanted == continuations { return index &+ limit }
        if limit == 16, wanted & 0xFFFF == continuations {
          // A character that goes on behind the block is looked at again from its beginning.
          index &+= wanted < 0x10000 ? 16 : firsts >> 15 == 1 ? 15 : 14
          continue
        }
      }
      index = skipShortText(index, to: index &+ 16, &wide)
      if index < 0 || index < count && isTextEnd(self[index]) { return index }
    }
    return index
  }

  /// The same character by character, until `end` is reached or passed; at the text's end there is an error.
  private func skipShortText(_ start: Int, to end: Int, _ wide: inout Bool) -> Int {
    var index = start
    while index < end {
      let byte = self[index]
      if isTextEnd(byte) { return index }
      if byte >= 0x80 { wide = true }
      let length = characterLength(index)
      if length == 0 { return ~index }
      index &+= length
    }
    return index < count ? index : ~count
  }

  @inline(__always)
  private func isTextEnd(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

  @inline(__always)
  private func isContinuation(_ index: Int) -> Bool { self[index] & 0xC0 == 0x80 }
}
