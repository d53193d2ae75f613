extension ByteView {
  /// Finds the end of a container by its brackets and strings only; nothing else is validated.
  ///
  /// Blocks of 64 bytes are converted to masks of quotes, backslashes and brackets. A prefix XOR of the quotes shows
  /// which bytes are inside a string. Returns the index after the bracket at which the depth becomes zero, or `ranOut`
  /// with `progress` set for resuming.
  @inline(never)
  func skipStructure(_ start: Int, _ progress: inout StructureProgress) -> Int {
    var index = start
    var depth = progress.depth
    var inString = progress.inString
    var escapeCarry = progress.escaped
    while index &+ 64 <= count {
      let block = StructureBlock(self, at: index, inString: &inString, escaped: &escapeCarry)
      let closeCount = block.closes.nonzeroBitCount
      if closeCount >= depth, closeCount > 0, let lane = bracketToZero(block.opens, block.closes, depth) {
        return index &+ lane &+ 1
      }
      depth &+= block.opens.nonzeroBitCount &- closeCount
      index &+= 64
    }
    progress = StructureProgress(depth: depth, inString: inString, escaped: escapeCarry)
    return skipStructureTail(index, &progress)
  }

  private func skipStructureTail(_ start: Int, _ progress: inout StructureProgress) -> Int {
    var index = start
    while index < count {
      let byte = self[index]
      // As in the blocks, a backslash also counts outside strings, where it is an error that other code reports.
      let isEscaped = progress.escaped != 0
      progress.escaped = byte == 0x5C && !isEscaped ? 1 : 0
      if byte == 0x22 {
        if !isEscaped { progress.inString = ~progress.inString }
      } else if progress.inString == 0 {
        if byte | 0x20 == 0x7B {
          progress.depth &+= 1
        } else if byte | 0x20 == 0x7D {
          progress.depth &-= 1
          if progress.depth == 0 { return index &+ 1 }
        }
      }
      index &+= 1
    }
    return ranOut
  }
}

/// Returns the lane of the closing bracket at which the depth becomes zero.
@inline(__always)
private func bracketToZero(_ opens: UInt64, _ closes: UInt64, _ depth: Int) -> Int? {
  var rest = closes
  var closed = 0
  while rest != 0 {
    let bit = rest & (~rest &+ 1)
    closed &+= 1
    if depth &+ (opens & (bit &- 1)).nonzeroBitCount == closed { return bit.trailingZeroBitCount }
    rest &= rest &- 1
  }
  return nil
}
