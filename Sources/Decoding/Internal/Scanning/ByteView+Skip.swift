/// The result of a skip if the bytes end before the value does.
let ranOut = Int.min

extension ByteView {
  /// Skips one value, or the rest of one, and validates grammar, escapes and UTF-8; iterative and resumable.
  ///
  /// Returns the index after the value, `~offset` of the first invalid byte, or `ranOut` with `progress` set for
  /// resuming with the next chunk. `kinds` has space for `limit` open containers.
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
    // Each iteration reads from one value to the next, so the common sequence of tokens needs no checks of `phase`.
    reading: while true {
      index = skipSpace(index)
      guard index < count else { break reading }
      if phase == .firstKey || phase == .key {
        if phase == .firstKey, self[index] == 0x7D {
          phase = .afterValue
          index &+= 1
          depth &-= 1
        } else {
          guard self[index] == 0x22 else { return ~index }
          phase = .colon
          let end = skipString(index &+ 1)
          if end < 0 {
            progress.phase = phase
            progress.depth = depth
            return suspend(index, end, &progress)
          }
          index = skipSpace(end)
          guard index < count else { break reading }
        }
      }
      if phase == .colon {
        guard self[index] == 0x3A else { return ~index }
        phase = .value
        index = skipSpace(index &+ 1)
        guard index < count else { break reading }
      }
      if phase == .firstElement, self[index] == 0x5D {
        phase = .afterValue
        index &+= 1
        depth &-= 1
      }
      if phase != .afterValue {
        let byte = self[index]
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
          continue reading
        }
        phase = .afterValue
        let end = skipScalar(index)
        if end < 0 || (end == count && byte != 0x22) {
          progress.phase = phase
          progress.depth = depth
          let cut = suspend(index, end, &progress)
          if cut < 0 { return cut }
        }
        index = end
      }
      // After a value: closing brackets and the comma.
      while true {
        if depth == 0 { return index }
        index = skipSpace(index)
        guard index < count else { break reading }
        let isObject = kinds[depth &- 1] == SkipStack.object
        if self[index] == 0x2C {
          phase = isObject ? .key : .value
          index &+= 1
          continue reading
        }
        guard self[index] == (isObject ? 0x7D : 0x5D) else { return ~index }
        index &+= 1
        depth &-= 1
      }
    }
    progress.phase = phase
    progress.depth = depth
    progress.stop = count
    return ranOut
  }

  /// Skips one value, or the rest of one, of a complete text; a token truncated at its end is a fault.
  @inline(__always)
  func skipWhole(
    _ start: Int, _ progress: inout SkipProgress, kinds: UnsafeMutablePointer<UInt8>, limit: Int
  ) -> Int {
    let end = skipValue(start, &progress, kinds: kinds, limit: limit)
    return end != ranOut ? end : progress.isCompleteAtEnd ? count : ~count
  }
}
