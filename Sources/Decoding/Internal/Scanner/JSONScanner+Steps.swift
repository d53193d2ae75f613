/// Finding a place again, after a failure.
extension JSONScanner {
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
    OpenContainers(text, from: start, to: offset).steps(to: offset).map(PathKey.init)
  }
}
