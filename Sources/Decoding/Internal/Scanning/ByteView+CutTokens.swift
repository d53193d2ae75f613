/// Handling of tokens that the end of a chunk splits. All of this is cold code: it runs at most once per chunk.
extension ByteView {
  /// Classifies a token that starts at `start` and failed or reached the end with `end`. The result is `ranOut`,
  /// recorded in `progress`, if the token can continue in the next chunk; `~offset` if it is malformed; `end` if it is
  /// complete.
  @inline(never)
  func suspend(_ start: Int, _ end: Int, _ progress: inout SkipProgress) -> Int {
    let first = self[start]
    if first == 0x22 {
      let stop = ~end
      guard end < 0, isCutCharacter(stop) else { return end }
      progress.token = .string
      carryBytes(stop, &progress)
      return ranOut
    }
    if startsNumber(start) {
      var state = NumberGrammar.start
      for index in start..<count {
        guard let next = state.next(self[index]) else { return end }
        state = next
      }
      progress.token = .number
      progress.carry = UInt64(state.rawValue)
      return ranOut
    }
    for literal in ["true", "false", "null"] as [StaticString] {
      let expected = ByteView(literal.utf8Start, count: literal.utf8CodeUnitCount)
      let have = count &- start
      guard have < expected.count, matches(start, ByteView(expected.base, count: have)) else { continue }
      progress.token = .literal
      expected.carryBytes(have, &progress)
      return ranOut
    }
    return end
  }

  /// Continues a split token; the result is the same as that of `skipValue`.
  @inline(never)
  func resumeToken(_ start: Int, _ progress: inout SkipProgress) -> Int {
    switch progress.token {
    case .none: return start
    case .string: return resumeString(start, &progress)
    case .number:
      guard var state = NumberGrammar(rawValue: UInt8(truncatingIfNeeded: progress.carry)) else { return ~start }
      var index = start
      while index < count {
        guard let next = state.next(self[index]) else {
          guard state.isAccepting else { return ~index }
          progress.token = .none
          return index
        }
        state = next
        index &+= 1
      }
      progress.carry = UInt64(state.rawValue)
      return ranOut
    case .literal:
      var index = start
      while progress.carryCount > 0, index < count {
        guard self[index] == UInt8(truncatingIfNeeded: progress.carry) else { return ~index }
        progress.carry >>= 8
        progress.carryCount &-= 1
        index &+= 1
      }
      if progress.carryCount > 0 { return ranOut }
      progress.token = .none
      return index
    }
  }

  private func resumeString(_ start: Int, _ progress: inout SkipProgress) -> Int {
    var index = start
    if progress.carryCount > 0 {
      // The split escape or character, with as many new bytes as it can need.
      let carried = progress.carryCount
      let added = min(count &- start, 6 &- carried)
      var unit = progress.carry.littleEndian
      let length = withUnsafeMutableBytes(of: &unit) { raw -> Int in
        for offset in 0..<added { raw[carried &+ offset] = self[start &+ offset] }
        let view = ByteView(UnsafeRawBufferPointer(rebasing: raw[..<(carried &+ added)]))
        if view[0] == 0x5C {
          let end = view.skipEscape(0)
          if end > 0 { return end }
        } else {
          let length = view.characterLength(0)
          if length > 0 { return length }
        }
        return view.isCutCharacter(0) ? ranOut : -1
      }
      if length == ranOut {
        progress.carry = UInt64(littleEndian: unit)
        progress.carryCount = carried &+ added
        return ranOut
      }
      // The fault is in the bytes before this chunk. `carryCount` is not reset and contains the distance.
      guard length > 0 else { return ~start }
      index = start &+ length &- carried
      progress.carryCount = 0
      progress.carry = 0
    }
    let end = skipString(index)
    if end < 0, isCutCharacter(~end) {
      carryBytes(~end, &progress)
      return ranOut
    }
    progress.token = .none
    return end
  }

  /// Whether the bytes from `index` to the end may be the beginning of a character or escape of a string.
  func isCutCharacter(_ index: Int) -> Bool {
    let available = count &- index
    guard available > 0 else { return true }
    let first = self[index]
    if first == 0x5C {
      guard available > 1 else { return true }
      return self[index &+ 1] == 0x75 && available < 6 && (2..<available).allSatisfy { isHex(self[index &+ $0]) }
    }
    let needed = first < 0xC2 || first > 0xF4 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return available < needed && (1..<available).allSatisfy { self[index &+ $0] & 0xC0 == 0x80 }
  }

  private func carryBytes(_ start: Int, _ progress: inout SkipProgress) {
    progress.carry = 0
    progress.carryCount = count &- start
    var index = count
    while index > start {
      index &-= 1
      progress.carry = progress.carry << 8 | UInt64(self[index])
    }
  }
}
