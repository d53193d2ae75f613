/// The target of an encoder's container: its number in a document under construction, and the path to it.
struct ContainerPlace {
  let state: EncodingState
  /// 0 if the value is not a container of this kind.
  let number: UInt32
  /// The length of the prefix of the state's path that leads to the value that the container belongs to.
  let depth: UInt32
  /// The path from there to a nested container.
  let suffix: [any CodingKey]

  /// Whether it can be written to immediately.
  @inline(__always)
  var isTop: Bool { number != 0 && number == state.core.pointee.top }

  var codingPath: [any CodingKey] { state.codingPath(Int(depth), suffix) }

  /// Returns the state to which the next part of the container is written.
  @inline(__always)
  func enter<T>(_ value: T) throws -> EncodingState {
    guard let state = state.enter(number) else { throw refusal(of: value) }
    return state
  }

  @inline(never)
  func refusal<T>(of value: T) -> EncodingError {
    EncodingError.invalid(
      value, at: codingPath,
      "This container cannot be written to: its location already has a different kind of value, its value "
        + "is complete, or a value inside it is still being encoded.")
  }

  /// Returns the target of a nested container, whose path is relative to the document that it is written to.
  func nested(_ number: UInt32, in target: EncodingState, _ key: any CodingKey) -> ContainerPlace {
    ContainerPlace(state: target, number: number, depth: target === state ? depth : 0, suffix: suffix + [key])
  }

  /// Returns the target of a member of this object: the one that is there, or a new one.
  func nested(_ key: some CodingKey, isObject: Bool) -> ContainerPlace {
    let name = state.memberName(key) { codingPath }
    if let number = state.openMember(name, of: number, isObject: isObject) {
      return nested(number, in: state, key)
    }
    guard let state = state.enter(number) else { return refused(key) }
    let (target, number) = state.nestedContainer(named: name, isObject: isObject)
    return nested(number, in: target, key)
  }

  /// Encodes a member of this object.
  @inline(__always)
  func encode<T: Encodable>(_ value: T, _ key: some CodingKey) throws {
    let state = try enter(value)
    try state.writeMember(key, { codingPath }, { try state.encode(value, suffix, .key(key)) })
  }

  @inline(__always)
  func encodeScalar(_ value: some JSONEncodedScalar, _ key: some CodingKey) throws {
    let state = try enter(value)
    try state.writeMember(key, { codingPath }, { try value.write(state) { codingPath + [key] } })
  }

  /// Returns a target without content, whose path is the anchor.
  func reporting(_ anchor: EncodingAnchor) -> ContainerPlace {
    ContainerPlace(state: state, number: 0, depth: depth, suffix: [AnchorKey(anchor)])
  }

  /// An encoder that rejects everything.
  var refusingEncoder: any Encoder { ValueEncoder(state: state, index: .max, number: 0) }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    guard let containers = state.containers else {
      return KeyedEncodingContainer(KeyedBytesEncodingContainer(self))
    }
    return containers.container(Key.self) { anchor in
      (anchor.number, anchor.depth) = (number, depth)
      if !suffix.isEmpty || !anchor.suffix.isEmpty { anchor.suffix = suffix }
    } make: {
      let anchor = EncodingAnchor(self)
      return (KeyedEncodingContainer(KeyedBytesEncodingContainer<Key>(anchor)), anchor)
    }
  }

  /// Returns a target that rejects everything.
  func refused(_ key: any CodingKey) -> ContainerPlace {
    ContainerPlace(state: state, number: 0, depth: depth, suffix: suffix + [key])
  }
}
