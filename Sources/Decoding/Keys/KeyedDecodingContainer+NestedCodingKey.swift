/// The methods that synthesized code calls, for keys whose raw values are paths. The standard library has one method
/// for each primitive type in addition to the generic method. This module must have them too, because the standard
/// library's methods would otherwise be the better match.
extension KeyedDecodingContainer where Key: NestedCodingKey {
  /// Decodes the value at the key's path.
  ///
  /// - Throws: The same errors as ``NestedDecoder/decode(_:at:)``.
  public func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decodeNested(type, forKey: key)
  }

  /// Decodes the value at the key's path, or returns nil if the value, or any value along the path, is missing or null.
  ///
  /// - Throws: The same errors as ``NestedDecoder/decodeIfPresent(_:at:)``.
  public func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try decodeNestedIfPresent(type, forKey: key)
  }

  /// Decodes the property at the key's path, or returns ``FieldWrapper/absent`` if the value is missing.
  ///
  /// - Throws: The same errors as ``NestedDecoder/decode(_:at:)``.
  public func decode<Wrapper: FieldWrapper>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper {
    try decodeNestedWrapper(type, forKey: key)
  }

  /// Decodes a `Bool` at the key's path.
  public func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(type, key) }

  /// Decodes a `String` at the key's path.
  public func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(type, key) }

  /// Decodes a `Double` at the key's path.
  public func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(type, key) }

  /// Decodes a `Float` at the key's path.
  public func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(type, key) }

  /// Decodes an `Int` at the key's path.
  public func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(type, key) }

  /// Decodes an `Int8` at the key's path.
  public func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(type, key) }

  /// Decodes an `Int16` at the key's path.
  public func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(type, key) }

  /// Decodes an `Int32` at the key's path.
  public func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(type, key) }

  /// Decodes an `Int64` at the key's path.
  public func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(type, key) }

  /// Decodes an `Int128` at the key's path.
  public func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(type, key) }

  /// Decodes a `UInt` at the key's path.
  public func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(type, key) }

  /// Decodes a `UInt8` at the key's path.
  public func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(type, key) }

  /// Decodes a `UInt16` at the key's path.
  public func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(type, key) }

  /// Decodes a `UInt32` at the key's path.
  public func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(type, key) }

  /// Decodes a `UInt64` at the key's path.
  public func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(type, key) }

  /// Decodes a `UInt128` at the key's path.
  public func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(type, key) }

  /// Decodes a `Bool` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try scalarIfPresent(type, key) }

  /// Decodes a `String` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try scalarIfPresent(type, key) }

  /// Decodes a `Double` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try scalarIfPresent(type, key) }

  /// Decodes a `Float` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try scalarIfPresent(type, key) }

  /// Decodes an `Int` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try scalarIfPresent(type, key) }

  /// Decodes an `Int8` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try scalarIfPresent(type, key) }

  /// Decodes an `Int16` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try scalarIfPresent(type, key) }

  /// Decodes an `Int32` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try scalarIfPresent(type, key) }

  /// Decodes an `Int64` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try scalarIfPresent(type, key) }

  /// Decodes an `Int128` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try scalarIfPresent(type, key) }

  /// Decodes a `UInt` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try scalarIfPresent(type, key) }

  /// Decodes a `UInt8` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try scalarIfPresent(type, key) }

  /// Decodes a `UInt16` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try scalarIfPresent(type, key) }

  /// Decodes a `UInt32` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try scalarIfPresent(type, key) }

  /// Decodes a `UInt64` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try scalarIfPresent(type, key) }

  /// Decodes a `UInt128` at the key's path, or returns nil if the value is missing or null.
  public func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try scalarIfPresent(type, key)
  }
}
