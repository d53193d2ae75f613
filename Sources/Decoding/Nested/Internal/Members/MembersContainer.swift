/// A container that encodes each member by path.
struct MembersContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: MembersEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func put(_ value: some Encodable, _ key: Key) throws { try encoder.encode(value, named: key.stringValue) }

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
  func encode(_ value: Int128, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try put(value, key) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try put(value, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key) { .object(try $0.member(encoder.key(key.stringValue), for: key.stringValue)) }
      .container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    var array: (any UnkeyedEncodingContainer)?
    let refusing = nested(key) {
      array = try $0.claim(encoder.key(key.stringValue)) { $0.nestedUnkeyedContainer(forKey: $1) }
      return .nothing
    }
    return array ?? ValueMembersContainer(encoder: refusing)
  }

  func superEncoder() -> any Encoder { superEncoder("super") }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key.stringValue) }

  private func superEncoder(_ name: String) -> any Encoder {
    var made: (any Encoder)?
    let refusing = nested(AnyKey(stringValue: name)) {
      made = try $0.claim(encoder.key(name)) { $0.superEncoder(forKey: $1) }
      return .nothing
    }
    return made ?? refusing
  }

  /// Returns an encoder for the content of a member. If `make` throws, the encoder rejects everything for that reason.
  private func nested(_ key: some CodingKey, _ make: (EncodingNode) throws -> MembersEncoder.Target) -> MembersEncoder {
    let path = codingPath + [key]
    switch encoder.target {
    case .nothing: return encoder.inner(.nothing, path)
    case .refused(let reason): return encoder.refusing(reason, path)
    case .object(let node):
      let identity = encoder.identity.flatMap { $0.isMember(key.stringValue) ? $0 : nil }
      if identity?.steps.count == 1 { return encoder.inner(.nothing, path) }
      do {
        let target = try make(node)
        if let identity, case .object(let member) = target { return encoder.within(identity, member) }
        return encoder.inner(target, path)
      } catch EncodingError.invalidValue(_, let reason) {
        return encoder.refusing(reason, path)
      } catch {
        return encoder.refusing(EncodingError.Context(codingPath: path, debugDescription: "\(error)"), path)
      }
    }
  }
}
