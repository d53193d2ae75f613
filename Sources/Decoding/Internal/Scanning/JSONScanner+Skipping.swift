extension JSONScanner {
  /// Returns the index after the value at `value`, or a negative number with the fault recorded.
  @inline(__always)
  func endOfValue(_ value: Int, depth: Int) -> Int {
    core.pointee.lastStart == value ? core.pointee.lastEnd : skipValue(value, depth: depth)
  }

  /// Skips the value at `value`, around which `depth` containers are open.
  @inline(never)
  func skipValue(_ value: Int, depth: Int) -> Int {
    let byte = text[value]
    if byte | 0x20 == 0x7B {
      return core.pointee.isTrusted
        ? skipStructure(value, open: 0) : skipFully(value, SkipProgress(), depth: depth)
    }
    let end = byte == 0x22 && core.pointee.isTrusted ? text.skipTrustedString(value &+ 1) : text.skipScalar(value)
    if end < 0 { setFault(~end) }
    return end
  }

  /// Skips a value, or the rest of one, around which `depth` containers are open, and validates it.
  @inline(__always)
  func skipFully(_ start: Int, _ progress: SkipProgress, depth: Int) -> Int {
    var progress = progress
    let end = text.skipWhole(
      start, &progress, kinds: core.pointee.kinds, limit: core.pointee.depthLimit &- depth)
    if end < 0 { setFault(~end, progress.isTooDeep ? .tooDeep : .unreadable) }
    return end
  }

  private func skipStructure(_ start: Int, open: Int) -> Int {
    var progress = StructureProgress(depth: open)
    let end = text.skipStructure(start, &progress)
    if end != ranOut { return end }
    setFault(text.count)
    return ~text.count
  }

  /// Returns the index after an object's current member, or a negative number with the fault recorded.
  @inline(__always)
  func endOfMember(_ index: Int) -> Int {
    let node = node(index)
    let member = Int(node.pointee.member)
    if core.pointee.lastStart == member { return core.pointee.lastEnd }
    if node.pointee.child >= 0 {
      let end = endOfChild(index)
      if end != 0 { return end }
    }
    if text[member] == 0x22, !core.pointee.isTrusted { return passString(node, member) }
    return skipValue(member, depth: Int(node.pointee.depth) &+ 1)
  }

  /// Returns the index after a string that has not been read, and notes its length so that reading it later is faster.
  @inline(never)
  private func passString(_ node: UnsafeMutablePointer<ValueNode>, _ member: Int) -> Int {
    var isEscaped = false
    var isWide = false
    let end = text.skipString(member &+ 1, &isEscaped, &isWide)
    guard end >= 0 else {
      setFault(~end)
      return end
    }
    let count = end &- member &- 2
    // If the name is repeated or not valid Unicode, the last entry belongs to another member.
    guard !isEscaped, count < 1 << 31, node.pointee.tail >= 0 else { return end }
    let entry = entry(Int(node.pointee.tail))
    if entry.pointee.value == node.pointee.member { entry.pointee.text = UInt32(count) << 1 | (isWide ? 1 : 0) }
    return end
  }

  /// Returns the index after a member that was opened as an object, continuing from where its own node is; otherwise 0.
  @inline(never)
  private func endOfChild(_ index: Int) -> Int {
    let child = Int(node(index).pointee.child)
    guard isLive(child, node(index).pointee.member), Int(node(child).pointee.parent) == index,
      node(child).pointee.phase != .closed
    else { return 0 }
    return endOfOpenObject(child)
  }

  /// Returns the index after an object that may have been read in part; the records of its node are unchanged.
  private func endOfOpenObject(_ index: Int) -> Int {
    let node = node(index)
    if node.pointee.phase == .done { return Int(node.pointee.cursor) }
    var cursor = node.pointee.phase == .value ? endOfMember(index) : Int(node.pointee.cursor)
    if cursor < 0 { return cursor }
    cursor = text.skipSpace(cursor)
    if cursor < text.count, text[cursor] == 0x7D { return cursor &+ 1 }
    return skipRest(from: cursor, isFresh: node.pointee.phase == .first, depth: Int(node.pointee.depth))
  }

  /// Skips the rest of the object at `node` after its `init(from:)` has returned, and records its end.
  @inline(__always)
  func finish(_ index: Int) {
    let node = node(index)
    switch node.pointee.phase {
    case .closed: return  // a scalar, an array or a value that was not opened: the container around it finds its end
    case .done: took(Int(node.pointee.value), Int(node.pointee.cursor))
    case .first, .value, .afterValue: finishOpenObject(index)
    }
  }

  @inline(never)
  private func finishOpenObject(_ index: Int) {
    let end = endOfOpenObject(index)
    if end < 0 { return }
    let node = node(index)
    node.pointee.phase = .done
    node.pointee.cursor = UInt32(truncatingIfNeeded: end)
    took(Int(node.pointee.value), end)
  }

  /// Skips the rest of an object, from after one of its members (or its brace if `isFresh`).
  ///
  /// Returns the index after it, or a negative number with the fault recorded. `depth` containers are around it.
  @inline(never)
  func skipRest(from start: Int, isFresh: Bool, depth: Int) -> Int {
    if core.pointee.isTrusted { return skipStructure(start, open: 1) }
    core.pointee.kinds[0] = SkipStack.object
    return skipFully(start, SkipProgress(phase: isFresh ? .firstKey : .afterValue, depth: 1), depth: depth)
  }

  // Arrays.

  /// Returns the offset of the first element of the array at `array`; 0 if it is empty, negative with a fault recorded.
  @inline(__always)
  func firstElement(_ array: Int) -> Int {
    let index = text.skipSpace(array &+ 1)
    guard index < text.count else {
      setFault(index)
      return -1
    }
    if text[index] == 0x5D {
      took(array, index &+ 1)
      return 0
    }
    return index
  }

  /// Returns the offset of the next element, from after one; 0 after the closing bracket, negative with a fault
  /// recorded.
  @inline(__always)
  func nextElement(_ end: Int, of array: Int) -> Int {
    var index = text.skipSpace(end)
    if index < text.count {
      if text[index] == 0x2C {
        index = text.skipSpace(index &+ 1)
        if index < text.count { return index }
      } else if text[index] == 0x5D {
        took(array, index &+ 1)
        return 0
      }
    }
    setFault(index)
    return -1
  }
}
