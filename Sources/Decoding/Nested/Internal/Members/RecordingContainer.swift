internal import Foundation

/// The members of an object that have been requested.
final class MemberRecord {
  var names: Set<AnyKey> = []
  /// Whether the value was read without requesting members.
  var isWhole = false
}

/// The members of an object; requests for them are recorded.
struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let record: MemberRecord

  private func noting(_ key: Key) -> KeyedDecodingContainer<Key> {
    record.names.insert(AnyKey(stringValue: key.stringValue))
    return base
  }

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { noting(key).contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try noting(key).decodeNil(forKey: key) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try noting(key).decode(type, forKey: key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try noting(key).decode(type, forKey: key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try noting(key).decode(type, forKey: key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try noting(key).decode(type, forKey: key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try noting(key).decode(type, forKey: key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try noting(key).decode(type, forKey: key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try noting(key).decode(type, forKey: key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try noting(key).decode(type, forKey: key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try noting(key).decode(type, forKey: key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try noting(key).decode(type, forKey: key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try noting(key).decode(type, forKey: key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try noting(key).decode(type, forKey: key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try noting(key).decode(type, forKey: key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try noting(key).decode(type, forKey: key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try noting(key).decode(type, forKey: key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try noting(key).decode(type, forKey: key) }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decodeValue(type, in: noting(key), forKey: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    // What follows a path that may begin with several names asks for this.
    if type == AnchorKey.self, let key = key as? any NestedCodingKey { record.names.formUnion(key.firstNames) }
    return try noting(key).nestedContainer(keyedBy: type, forKey: key)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try noting(key).nestedUnkeyedContainer(forKey: key)
  }

  func superDecoder() throws -> any Decoder {
    record.names.insert(AnyKey(stringValue: "super"))
    return try base.superDecoder()
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try noting(key).superDecoder(forKey: key) }
}

/// A value; types in it that decode themselves receive the recording decoder.
struct RecordingValue: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer
  let decoder: RecordingDecoder

  var codingPath: [any CodingKey] { base.codingPath }

  private func whole() -> any SingleValueDecodingContainer {
    decoder.record.isWhole = true
    return base
  }

  func decodeNil() -> Bool { base.decodeNil() }
  func decode(_ type: Bool.Type) throws -> Bool { try whole().decode(type) }
  func decode(_ type: String.Type) throws -> String { try whole().decode(type) }
  func decode(_ type: Double.Type) throws -> Double { try whole().decode(type) }
  func decode(_ type: Float.Type) throws -> Float { try whole().decode(type) }
  func decode(_ type: Int.Type) throws -> Int { try whole().decode(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try whole().decode(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try whole().decode(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try whole().decode(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try whole().decode(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try whole().decode(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try whole().decode(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try whole().decode(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try whole().decode(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try whole().decode(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try whole().decode(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try whole().decode(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // Decoders handle these types and collections specially.
    let isSpecial = type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
    guard !isSpecial, !(type is any DirectlyDecodable.Type) else { return try whole().decode(type) }
    return try T(from: decoder)
  }
}
