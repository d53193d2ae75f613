/// The columns of a row as coding keys. Every requirement is implemented, because the defaults for optional values look
/// a column up three times.
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

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try row.attribute(Bool.self, at: row.column(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try row.string(at: row.column(key)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try row.double(at: row.column(key)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try row.attribute(Float.self, at: row.column(key))
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try row.integer(type, at: row.column(key)) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try row.integer(type, at: row.column(key)) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try row.integer(type, at: row.column(key)) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try row.integer(type, at: row.column(key)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try row.integer(type, at: row.column(key)) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try row.integer(type, at: row.column(key)) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try row.integer(type, at: row.column(key)) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try row.integer(type, at: row.column(key)) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try row.integer(type, at: row.column(key)) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try row.integer(type, at: row.column(key)) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.attribute(Bool.self, at: column)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.string(at: column)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.double(at: column)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.attribute(Float.self, at: column)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    guard let column = row.columnIfPresent(key) else { return nil }
    return try row.integer(type, at: column)
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
