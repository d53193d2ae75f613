/// Encodes a value's members into an object that is being encoded by path.
struct MembersEncoder: Encoder {
  /// The object; nil where there can be none, so that everything is refused.
  let node: EncodingNode?
  /// The name of a member that is left out.
  var skipped: String?
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    node?.expect(.name(ByteString("")))
    return KeyedEncodingContainer(MembersContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { NoMembersContainer(encoder: refusing(codingPath)) }

  func singleValueContainer() -> any SingleValueEncodingContainer { NoMembersContainer(encoder: self) }

  func refusing(_ codingPath: [any CodingKey]) -> MembersEncoder {
    MembersEncoder(node: nil, codingPath: codingPath, userInfo: userInfo)
  }

  func refuse(_ value: Any) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath, debugDescription: "Only an object has members, and each of them once."))
  }
}

/// Writes each member as one that is encoded by path.
private struct MembersContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: MembersEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  /// The place of a member; nil for the one that is left out.
  private func place(of key: String, for value: Any) throws -> EncodingNode? {
    if let skipped = encoder.skipped, skipped.hasSameBytes(as: key) { return nil }
    guard let node = encoder.node else { throw encoder.refuse(value) }
    return try node.node(at: [.name(ByteString(key))], for: value)
  }

  private func put(_ value: some Encodable, _ key: Key) throws {
    try place(of: key.stringValue, for: value)?.encode(value)
  }

  func encodeNil(forKey key: Key) throws { try put(nil as Bool?, key) }
  func encode(_ value: Bool, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try put(value, key) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try put(value, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let node = try? place(of: key.stringValue, for: "")
    return MembersEncoder(node: node, codingPath: codingPath + [key], userInfo: encoder.userInfo).container(
      keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    var object = encoder.node?.claim(AnyKey(stringValue: key.stringValue))
    return object?.nestedUnkeyedContainer(forKey: AnyKey(stringValue: key.stringValue))
      ?? NoMembersContainer(encoder: encoder.refusing(codingPath + [key]))
  }

  func superEncoder() -> any Encoder { superEncoder("super") }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key.stringValue) }

  private func superEncoder(_ name: String) -> any Encoder {
    let key = AnyKey(stringValue: name)
    var object = encoder.node?.claim(key)
    return object?.superEncoder(forKey: key) ?? encoder.refusing(codingPath + [key])
  }
}

/// Refuses what is no object; a single value may be one.
private struct NoMembersContainer: SingleValueEncodingContainer, UnkeyedEncodingContainer {
  let encoder: MembersEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { 0 }

  private func refuse(_ value: Any) throws { throw encoder.refuse(value) }

  func encodeNil() throws { try refuse(nil as Bool? as Any) }
  func encode(_ value: Bool) throws { try refuse(value) }
  func encode(_ value: String) throws { try refuse(value) }
  func encode(_ value: Double) throws { try refuse(value) }
  func encode(_ value: Float) throws { try refuse(value) }
  func encode(_ value: Int) throws { try refuse(value) }
  func encode(_ value: Int8) throws { try refuse(value) }
  func encode(_ value: Int16) throws { try refuse(value) }
  func encode(_ value: Int32) throws { try refuse(value) }
  func encode(_ value: Int64) throws { try refuse(value) }
  func encode(_ value: UInt) throws { try refuse(value) }
  func encode(_ value: UInt8) throws { try refuse(value) }
  func encode(_ value: UInt16) throws { try refuse(value) }
  func encode(_ value: UInt32) throws { try refuse(value) }
  func encode(_ value: UInt64) throws { try refuse(value) }
  func encode<T: Encodable>(_ value: T) throws {
    if encoder.node == nil { try refuse(value) }
    try value.encode(to: encoder)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  func superEncoder() -> any Encoder { encoder }
}
