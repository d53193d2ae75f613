/// Handling of tokens that the end of a chunk splits. All of this is cold code: it runs at most once per chunk.
extension ByteView {
  /// Classifies a token that starts at `start` and failed or reached the end with `end`. The result is `ranOut`,
  /// recorded in `progress`, if the token can continue in the next chunk; `~offset` if it is malformed; `end` if it is
  /// complete.
  @inline(never)
  func suspend(_ start: Int, _ end: Int, _ progress: inout SkipProgress) -> Int {
    if self[start] == 0x22 {
      guard end < 0, isCutCharacter(~end) else { return end }
      progress.token = .string
      progress.stop = ~end
      return ranOut
    }
    if startsNumber(start) {
      progress.token = .number
      progress.number = .start
      return resumeNumber(start, &progress)
    }
    let available = count &- start
    for literal in ["true", "false", "null"] as [StaticString]
    where available < literal.utf8CodeUnitCount && matches(start, ByteView(literal.utf8Start, count: available)) {
      progress.phase = .value
      progress.stop = start
      return ranOut
    }
    return end
  }

  /// Continues a split token; the result is the same as that of `skipValue`.
  @inline(never)
  func resumeToken(_ start: Int, _ progress: inout SkipProgress) -> Int {
    if progress.token == .number { return resumeNumber(start, &progress) }
    let end = skipString(start)
    if end < 0, isCutCharacter(~end) {
      progress.stop = ~end
      return ranOut
    }
    progress.token = .none
    return end
  }

  private func resumeNumber(_ start: Int, _ progress: inout SkipProgress) -> Int {
    for index in start..<count {
      guard let next = progress.number.next(self[index]) else {
        progress.token = .none
        return progress.number.isAccepting ? index : ~index
      }
      progress.number = next
    }
    progress.stop = count
    return ranOut
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
    let low: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
    let high: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
    return available < needed && (1..<available).allSatisfy { ($0 > 1 ? 0x80...0xBF : low...high) ~= self[index &+ $0] }
  }
}
