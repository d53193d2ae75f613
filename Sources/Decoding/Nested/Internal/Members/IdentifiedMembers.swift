extension ValueEncoder {
  /// Encodes a value's members behind the one that identifies its type.
  ///
  /// If the value itself encodes that member, there are two for the moment, of which the last one remains.
  ///
  /// - Returns: False, with nothing written, if the value may not be an object.
  func encode(_ value: some Encodable, _ key: AnyKey, _ names: [String]) throws -> Bool {
    guard isPlain(value), state.isOpen(index, number), state.core.pointee.values[Int(index)].content == .nothing else {
      return false
    }
    let start = state.writer.count
    var object = container(keyedBy: AnyKey.self)
    try object.encode(names[0], forKey: key)
    let outer = state.core.pointee.watched
    defer { state.core.pointee.watched = outer }
    state.core.pointee.watched = WatchedMember(
      object: state.core.pointee.top, name: state.memberName(key, state.core.pointee.path.count, []))
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
      try object.encode(names[0], forKey: key)
    }
    return true
  }

  /// Whether a value has an `encode(to:)` of its own, and its names are keys.
  private func isPlain<T: Encodable>(_ value: T) -> Bool {
    state.shared.types.slot(for: T.self).kind == .plain && !(value is JSONValue || value is RawJSON)
  }
}
