/// The methods that synthesized code calls, for keys whose raw values are paths. As in the standard library, there is
/// one method for each primitive type.
extension KeyedEncodingContainer where Key: NestedCodingKey {
  /// Encodes a value at the key's path and creates the objects along the path.
  ///
  /// - Throws: `EncodingError.invalidValue` if the path contains anything other than names.
  public mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encodeNested(value, forKey: key)
  }

  /// Encodes a value at the key's path and creates the objects along the path, unless the value is nil.
  ///
  /// - Throws: `EncodingError.invalidValue` if the path contains anything other than names.
  public mutating func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { try encodeNested(value, forKey: key) }
  }

  /// Encodes a property at the key's path unless it is absent.
  ///
  /// - Throws: `EncodingError.invalidValue` if the path contains anything other than names.
  public mutating func encode<Wrapper: FieldWrapper & Encodable>(_ value: Wrapper, forKey key: Key) throws {
    if !value.isAbsent { try encodeNested(value, forKey: key) }
  }

  /// Encodes a `Bool` at the key's path.
  public mutating func encode(_ value: Bool, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `String` at the key's path.
  public mutating func encode(_ value: String, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `Double` at the key's path.
  public mutating func encode(_ value: Double, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `Float` at the key's path.
  public mutating func encode(_ value: Float, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes an `Int` at the key's path.
  public mutating func encode(_ value: Int, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes an `Int8` at the key's path.
  public mutating func encode(_ value: Int8, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes an `Int16` at the key's path.
  public mutating func encode(_ value: Int16, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes an `Int32` at the key's path.
  public mutating func encode(_ value: Int32, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes an `Int64` at the key's path.
  public mutating func encode(_ value: Int64, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes an `Int128` at the key's path.
  public mutating func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `UInt` at the key's path.
  public mutating func encode(_ value: UInt, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `UInt8` at the key's path.
  public mutating func encode(_ value: UInt8, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `UInt16` at the key's path.
  public mutating func encode(_ value: UInt16, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `UInt32` at the key's path.
  public mutating func encode(_ value: UInt32, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `UInt64` at the key's path.
  public mutating func encode(_ value: UInt64, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `UInt128` at the key's path.
  public mutating func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }

  /// Encodes a `Bool` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes a `String` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes a `Double` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes a `Float` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes an `Int` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes an `Int8` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes an `Int16` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes an `Int32` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes an `Int64` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes an `Int128` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes a `UInt` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes a `UInt8` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes a `UInt16` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes a `UInt32` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes a `UInt64` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try scalarIfPresent(value, key) }

  /// Encodes a `UInt128` at the key's path, unless it is nil.
  public mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try scalarIfPresent(value, key) }
}
