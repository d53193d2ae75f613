/// Accepts a value that has members itself, and rejects others.
struct ValueMembersContainer: SingleValueEncodingContainer, UnkeyedEncodingContainer {
  let encoder: MembersEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { 0 }

  func encodeNil() throws { try encoder.refuse(nil as Bool?) }
  func encode(_ value: Bool) throws { try encoder.refuse(value) }
  func encode(_ value: String) throws { try encoder.refuse(value) }
  func encode(_ value: Double) throws { try encoder.refuse(value) }
  func encode(_ value: Float) throws { try encoder.refuse(value) }
  func encode(_ value: Int) throws { try encoder.refuse(value) }
  func encode(_ value: Int8) throws { try encoder.refuse(value) }
  func encode(_ value: Int16) throws { try encoder.refuse(value) }
  func encode(_ value: Int32) throws { try encoder.refuse(value) }
  func encode(_ value: Int64) throws { try encoder.refuse(value) }
  func encode(_ value: Int128) throws { try encoder.refuse(value) }
  func encode(_ value: UInt) throws { try encoder.refuse(value) }
  func encode(_ value: UInt8) throws { try encoder.refuse(value) }
  func encode(_ value: UInt16) throws { try encoder.refuse(value) }
  func encode(_ value: UInt32) throws { try encoder.refuse(value) }
  func encode(_ value: UInt64) throws { try encoder.refuse(value) }
  func encode(_ value: UInt128) throws { try encoder.refuse(value) }
  func encode<T: Encodable>(_ value: T) throws { try encoder.encodeMembers(of: value) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  func superEncoder() -> any Encoder { encoder }
}
