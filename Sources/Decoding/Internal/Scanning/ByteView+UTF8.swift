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

  /// Skips a run of characters outside ASCII; those of three bytes (most of CJK) are tested with one load.
  @inline(never)
  func skipCharacters(_ start: Int) -> Int {
    var index = start
    repeat {
      while index &+ 4 <= count {  // E1…EC, EE, EF and two continuation bytes: nothing else to check
        let word = load4(index)
        guard word & 0x00C0_C0F0 == 0x0080_80E0, word & 0xFF != 0xE0, word & 0xFF != 0xED else { break }
        index &+= 3
      }
      guard index < count, self[index] >= 0x80 else { break }
      let length = characterLength(index)
      if length == 0 { return ~index }
      index &+= length
    } while index < count && self[index] >= 0x80
    return index
  }

  @inline(__always)
  private func isContinuation(_ index: Int) -> Bool { self[index] & 0xC0 == 0x80 }
}
