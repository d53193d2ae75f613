/// Finding a location again after a failure.
extension JSONScanner {
  /// Returns the name in the text whose first byte is at an offset, which was validated when it was skipped.
  func name(ofKeyAt start: Int) -> String {
    let length = unescape(start)
    if length < 0 { _ = passUnreadable() }
    return ByteView(core.pointee.scratch, count: max(length, 0)).text(0, max(length, 0))
  }

  /// Returns the steps from the value at which decoding started to the innermost value that contains an offset.
  func steps(to offset: Int) -> [PathKey] {
    core.pointee.nodeCount > 0 ? steps(from: Int(node(0).pointee.value), to: offset) : []
  }

  /// Returns the steps from a value to the innermost value that contains an offset.
  ///
  /// The offset is in text that was read before, so everything up to it is known to be well-formed.
  func steps(from start: Int, to offset: Int) -> [PathKey] {
    OpenContainers(text, from: start, to: offset).steps(to: offset).map(PathKey.init)
  }
}
