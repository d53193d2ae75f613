/// Finding a place again, after a failure.
extension Reader {
  /// The name in the text whose first byte is at an offset. That it is one was checked when it was passed.
  func name(ofKeyAt start: Int) -> String {
    let length = unescape(start)
    if length < 0 { _ = passUnreadable() }
    return ByteView(core.pointee.scratch, count: max(length, 0)).text(0, max(length, 0))
  }

  /// The steps from the value that decoding started with to the innermost value that an offset lies in.
  func steps(to offset: Int) -> [PathKey] {
    core.pointee.nodeCount > 0 ? steps(from: Int(node(0).pointee.value), to: offset) : []
  }

  /// The steps from a value to the innermost value that an offset lies in.
  ///
  /// The offset is in text that was read before, so everything up to it is known to be well-formed.
  func steps(from start: Int, to offset: Int) -> [PathKey] {
    var steps: [PathKey] = []
    var value = start
    while value < offset, value < text.count, text[value] | 0x20 == 0x7B {
      guard let (step, child) = child(of: value, around: offset, depth: steps.count) else { break }
      steps.append(step)
      value = child
    }
    return steps
  }

  /// The member or element that an offset lies in, with where its value starts.
  private func child(of container: Int, around offset: Int, depth: Int) -> (PathKey, Int)? {
    let isObject = text[container] == 0x7B
    var index = text.skipSpace(container &+ 1)
    var count = 0
    while index < text.count, index <= offset {
      var step = PathKey(index: count)
      if isObject {
        guard text[index] == 0x22 else { return nil }
        let nameEnd = text.skipString(index &+ 1)
        guard nameEnd >= 0 else { return nil }
        let colon = text.skipSpace(nameEnd)
        let value = text.skipSpace(colon &+ 1)
        guard value < text.count, value <= offset else { return nil }
        step = PathKey(name(ofKeyAt: index &+ 1))
        index = value
      }
      var isTooDeep = false
      let end = text.skipWholeValue(
        index, kinds: core.pointee.kinds, limit: max(core.pointee.depthLimit &- depth, 1), isTooDeep: &isTooDeep)
      // A value that cannot be skipped has the offset in it: everything before that is well-formed.
      if end < 0 || offset < end { return (step, index) }
      let comma = text.skipSpace(end)
      guard comma < text.count, text[comma] == 0x2C else { return nil }
      index = text.skipSpace(comma &+ 1)
      count &+= 1
    }
    return nil
  }
}
