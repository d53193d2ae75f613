/// What a skip answers when the bytes end before the value does.
let ranOut = Int.min

extension ByteView {
  /// Skips one value, or what is left of one, checking grammar, escapes and UTF-8; iterative and resumable.
  ///
  /// Answers the index behind the value, `~offset` of the first wrong byte, or `ranOut` with `progress` set to go on with
  /// the next chunk. `kinds` has room for `limit` open containers.
  @inline(never)
  func skipValue(
    _ start: Int, _ progress: inout SkipProgress, kinds: UnsafeMutablePointer<UInt8>, limit: Int
  ) -> Int {
    var index = start
    var depth = progress.depth
    var phase = progress.phase
    if progress.token != .none {
      index = resumeToken(index, &progress)
      if index < 0 || (depth == 0 && phase == .afterValue) { return index }
    }
    while true {
      index = skipSpace(index)
      guard index < count else { break }
      let byte = self[index]
      switch phase {
      case .firstElement where byte == 0x5D, .firstKey where byte == 0x7D:
        index &+= 1
        depth &-= 1
        if depth == 0 { return index }
        phase = .afterValue
      case .value, .firstElement:
        if byte | 0x20 == 0x7B {  // { or [
          guard depth < limit else {
            progress.isTooDeep = true
            return ~index
          }
          let isObject = byte == 0x7B
          kinds[depth] = isObject ? SkipStack.object : SkipStack.array
          depth &+= 1
          index &+= 1
          phase = isObject ? .firstKey : .firstElement
          continue
        }
        phase = .afterValue
        let end = skipScalar(index)
        if end < 0 || (end == count && byte != 0x22) {
          let cut = suspend(index, end, &progress)
          if cut < 0 {
            progress.phase = phase
            progress.depth = depth
            return cut
          }
        }
        index = end
        if depth == 0 { return index }
      case .afterValue:
        let isObject = kinds[depth &- 1] == SkipStack.object
        index &+= 1
        if byte == 0x2C {
          phase = isObject ? .key : .value
          continue
        }
        guard byte == (isObject ? 0x7D : 0x5D) else { return ~(index &- 1) }
        depth &-= 1
        if depth == 0 { return index }
      case .firstKey, .key:
        guard byte == 0x22 else { return ~index }
        phase = .colon
        let end = skipString(index &+ 1)
        if end < 0 {
          progress.phase = phase
          progress.depth = depth
          return suspend(index, end, &progress)
        }
        index = end
        // Nearly always the colon follows at once.
        if index < count, self[index] == 0x3A {
          index &+= 1
          phase = .value
        }
      case .colon:
        guard byte == 0x3A else { return ~index }
        index &+= 1
        phase = .value
      }
    }
    progress.phase = phase
    progress.depth = depth
    return ranOut
  }

  /// Skips one value of a complete text: what is cut at its end is a fault there.
  @inline(__always)
  func skipWholeValue(_ start: Int, kinds: UnsafeMutablePointer<UInt8>, limit: Int, isTooDeep: inout Bool) -> Int {
    var progress = SkipProgress()
    return skipRest(start, &progress, kinds: kinds, limit: limit, isTooDeep: &isTooDeep)
  }

  /// Skips the rest of a container that is already open, in a complete text.
  ///
  /// `start` is behind a member or element, or behind the opening bracket where `isFresh`.
  @inline(__always)
  func skipOpenContainer(
    _ start: Int, isObject: Bool, isFresh: Bool, kinds: UnsafeMutablePointer<UInt8>, limit: Int, isTooDeep: inout Bool
  ) -> Int {
    var progress = SkipProgress()
    kinds[0] = isObject ? SkipStack.object : SkipStack.array
    progress.depth = 1
    progress.phase = isFresh ? (isObject ? .firstKey : .firstElement) : .afterValue
    return skipRest(start, &progress, kinds: kinds, limit: limit, isTooDeep: &isTooDeep)
  }

  @inline(__always)
  private func skipRest(
    _ start: Int, _ progress: inout SkipProgress, kinds: UnsafeMutablePointer<UInt8>, limit: Int, isTooDeep: inout Bool
  ) -> Int {
    let end = skipValue(start, &progress, kinds: kinds, limit: limit)
    if end >= 0 { return end }
    isTooDeep = progress.isTooDeep
    if end != ranOut { return end }
    return progress.isCompleteAtEnd ? count : ~count
  }
}
