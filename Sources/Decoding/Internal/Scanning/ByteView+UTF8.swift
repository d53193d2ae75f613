extension ByteView {
  /// Returns the length of the UTF-8 sequence at `index`, or 0 if it is invalid (RFC 3629: no overlong forms, no
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

  /// Skips text up to a quote, a backslash or a control character, and validates UTF-8. Returns `~index` of an invalid
  /// byte or of the text's end. `start` is the beginning of a character; `wide` is set if there is a non-ASCII one.
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

  /// The same from a non-ASCII character on, until sixteen bytes are ASCII or fewer remain.
  ///
  /// Each byte is checked together with the three before it: it must be a continuation byte exactly if one of them is
  /// the first byte of a character that is long enough. The second bytes of some characters have narrower limits (RFC
  /// 3629 §4). Vectors decide all of that, and a search byte by byte then finds the position of an error.
  @inline(never)
  private func skipWideText(_ start: Int) -> Int {
    var index = start
    var wide = true
    if index < 3 {
      index = skipShortText(index, to: 3, &wide)
      if index < 0 || index < count && isTextEnd(self[index]) { return index }
    }
    while index &+ 16 <= count {
      let block = load16(index)
      let wrong = isNoUTF8(block, load16(index &- 1), load16(index &- 2), load16(index &- 3))
      let ends = words((block .== lanes(of: 0x22)) .| (block .== lanes(of: 0x5C)) .| (block .< lanes(of: 0x20)))
      if firstLane(ends | words(wrong)) != nil {
        let end = firstLane(ends) ?? 16
        if let lane = firstLane(words(wrong)), lane <= end { break }
        return index &+ end
      }
      index &+= 16
      if firstLane(words(signed(block) .< SIMD16<Int8>(repeating: 0))) == nil { return index }
    }
    return skipShortText(characterStart(index), to: min(index &+ 16, count), &wide)
  }

  /// The lanes of `block` that are invalid after the bytes before them; `first`, `second` and `third` are the blocks
  /// that begin one, two and three bytes earlier.
  @inline(__always)
  private func isNoUTF8(
    _ block: SIMD16<UInt8>, _ first: SIMD16<UInt8>, _ second: SIMD16<UInt8>, _ third: SIMD16<UInt8>
  ) -> SIMDMask<SIMD16<Int8>> {
    let isContinuation = signed(block) .< SIMD16<Int8>(repeating: -0x40)
    let isWanted = (first .>= lanes(of: 0xC0)) .| (second .>= lanes(of: 0xE0)) .| (third .>= lanes(of: 0xF0))
    let isImpossible = ((block & lanes(of: 0xFE)) .== lanes(of: 0xC0)) .| (block .>= lanes(of: 0xF5))
    let isAbove9F = block .>= lanes(of: 0xA0)
    let isAbove8F = block .>= lanes(of: 0x90)
    let isOutside =
      ((first .== lanes(of: 0xE0)) .& .!isAbove9F) .| ((first .== lanes(of: 0xED)) .& isAbove9F)
      .| ((first .== lanes(of: 0xF0)) .& .!isAbove8F) .| ((first .== lanes(of: 0xF4)) .& isAbove8F)
    return (isContinuation .^ isWanted) .| isImpossible .| isOutside
  }

  /// Returns the start of the character that continues at `index`, or `index` if a character begins there.
  private func characterStart(_ index: Int) -> Int {
    if self[index &- 1] >= 0xC0 { return index &- 1 }
    if self[index &- 2] >= 0xE0 { return index &- 2 }
    return self[index &- 3] >= 0xF0 ? index &- 3 : index
  }

  /// The same character by character until `end` is reached or passed; reaching the text's end is an error.
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
