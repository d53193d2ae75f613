/// The columns of a row as coding keys. `decodeIfPresent` is implemented, because its defaults look a column up three
/// times.
struct SQLRowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: SQLRowDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { row.has(key) }

  func decodeNil(forKey key: Key) throws -> Bool { row.isNull(try row.column(key)) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try row.value(type, for: key)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try row.valueIfPresent(type, for: key)
  }

  // The generic methods also serve the other primitive types.

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try row.attribute(Bool.self, at: row.column(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try row.string(at: row.column(key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try row.double(at: row.column(key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try row.integer(type, at: row.column(key)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try row.integer(type, at: row.column(key)) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try row.columnIfPresent(key).map { try row.attribute(Bool.self, at: $0) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try row.columnIfPresent(key).map { try row.string(at: $0) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try row.columnIfPresent(key).map { try row.double(at: $0) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try row.columnIfPresent(key).map { try row.integer(type, at: $0) }
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try row.columnIfPresent(key).map { try row.integer(type, at: $0) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw row.unsupported(try row.column(key))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw row.unsupported(try row.column(key))
  }

  func superDecoder() throws -> any Decoder { throw row.unsupported() }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw row.unsupported(try row.column(key)) }
}
