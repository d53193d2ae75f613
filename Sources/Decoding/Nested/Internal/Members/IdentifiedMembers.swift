extension ValueEncoder {
  /// Encodes a value's members behind the one that identifies its type.
  ///
  /// If the value itself encodes that member, there are two for the moment, of which the last one remains.
  ///
  /// - Returns: False, with nothing written, if the value may not be an object.
  func encode<T: Encodable>(_ value: T, _ key: AnyKey, _ names: [String]) throws -> Bool {
    // It needs an `encode(to:)` of its own, and names that are keys.
    guard T.self != JSONValue.self, T.self != RawJSON.self, state.shared.types.slot(for: T.self).kind == .plain,
      state.isOpen(index, number), state.core.pointee.values[Int(index)].content == .nothing
    else { return false }
    let start = state.writer.count
    let object = place(isObject: true)
    try object.encodeScalar(names[0], key)
    let outer = state.core.pointee.watched
    defer { state.core.pointee.watched = outer }
    state.core.pointee.watched = WatchedMember(
      object: state.core.pointee.top,
      name: state.memberName(key) { state.codingPath(state.core.pointee.path.count, []) })
    let outcome = Result { try value.encode(to: self) }
    if state.core.pointee.values[Int(index)].isRefused {
      // The other way encodes the value if it is an object inside another wrapper, and otherwise reports what it is.
      state.startOver(Int(index), at: start)
      return false
    }
    try outcome.get()
    if let start = state.core.pointee.watched?.start,
      !DiscriminatorText.isOne(of: names, state.writer.view, at: start)
    {
      try object.encodeScalar(names[0], key)
    }
    return true
  }
}
