/// The decoder of one value, which is also its single-value container. It has three words, so storing it in an
/// existential allocates nothing.
struct BytesDecoder: Decoder {
  let state: DecodingState
  let value: UInt32
  let node: UInt32

  var codingPath: [any CodingKey] { state.path(Int(node), value) }

  var userInfo: [CodingUserInfoKey: Any] { state.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let index = try state.openObject(value, node)
    return state.keyedContainer(type, value, index)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try state.unkeyedContainer(value, node) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// The names in an object, as the key strategy converts them.
  var memberNames: [String] {
    get throws { state.allKeys(try state.openObject(value, node)) }
  }
}

extension BytesDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { state.scanner.isNull(value) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try state.decode(type, value, .node(state.liveNode(Int(node), value)))
  }

  @inline(__always)
  func scalar<Scalar: JSONScalar>(_ type: Scalar.Type) throws -> Scalar {
    if let result = Scalar.read(state.scanner, value) { return result }
    return try state.salvage(type, value, .node(state.liveNode(Int(node), value)))
  }
}

extension DecodingState {
  /// Returns the node of a value: its own, or a new one for a decoder that outlived its `init(from:)`.
  @inline(__always)
  func liveNode(_ node: Int, _ value: UInt32) -> Int {
    scanner.isLive(node, value) ? node : scanner.pushNode(value, parent: -1, key: 0, .root)
  }

  /// Opens the object at `value` and returns its node.
  @inline(never)
  func openObject(_ value: UInt32, _ node: UInt32) throws -> Int {
    let index = liveNode(Int(node), value)
    if scanner.node(index).pointee.phase != .closed { return index }
    try requireObject(value, index)
    scanner.openObject(index)
    return index
  }

  /// Throws if the value at `value`, whose node is `node`, is not an object or is nested too deeply.
  @inline(__always)
  func requireObject(_ value: UInt32, _ node: Int) throws {
    guard value != absentValue, scanner.text[Int(value)] == 0x7B else {
      throw error(value, [String: Any].self, container: "keyed", path(node, value))
    }
    guard Int(scanner.node(node).pointee.depth) < scanner.core.pointee.depthLimit else {
      scanner.setFault(Int(value), .tooDeep)
      throw syntaxError()
    }
  }

  @inline(never)
  func unkeyedContainer(_ value: UInt32, _ node: UInt32) throws -> UnkeyedBytesContainer {
    let index = liveNode(Int(node), value)
    let cursor = try openArray(value, index)
    return UnkeyedBytesContainer(
      state: self, value: value, node: UInt32(truncatingIfNeeded: index), cursor: UInt32(truncatingIfNeeded: cursor))
  }

  /// Handles a scalar that could not be read: a number written as a string, or an error.
  @inline(never)
  func salvage<Scalar: JSONScalar>(_ type: Scalar.Type, _ value: UInt32, _ place: ValuePlace) throws -> Scalar {
    if let number = nonConformingScalar(value, as: type) { return number }
    throw error(value, type, path(value, place))
  }

  @inline(__always)
  func nonConformingScalar<Scalar: JSONScalar>(_ value: UInt32, as type: Scalar.Type) -> Scalar? {
    if type == Double.self { return nonConforming(value, as: Double.self).map { reinterpret($0, as: type) } }
    return type == Float.self ? nonConforming(value, as: Float.self).map { reinterpret($0, as: type) } : nil
  }
}
