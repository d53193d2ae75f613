/// A type, such as a property wrapper, that defines the value of a property when its key is missing.
///
/// For a required property whose type does not conform to this protocol, synthesized `Codable` code throws an error if
/// the key is missing. If the property's type conforms, the property is set to ``absent`` instead, unless ``absent`` is
/// nil. The property is not encoded if ``isAbsent`` is true. A null value is passed to `init(from:)` like any other
/// value.
nonisolated public protocol FieldWrapper: Decodable, SendableMetatype {
  /// The value of the property if the key is missing, or nil if the key is required.
  static var absent: Self? { get }

  /// Whether to omit the property when encoding.
  var isAbsent: Bool { get }
}

extension KeyedDecodingContainer {
  /// Decodes the property, or returns ``FieldWrapper/absent`` if the key is missing.
  ///
  /// - Throws: `DecodingError.keyNotFound` if the key is missing but required, and any error thrown while decoding the
  ///   value.
  public func decode<Wrapper: FieldWrapper>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper {
    if !contains(key), let absent = Wrapper.absent { return absent }
    return try decodeValue(type, in: self, forKey: key)
  }
}

extension KeyedEncodingContainer {
  /// Encodes the property unless it is absent.
  ///
  /// - Throws: Any error thrown while encoding the value.
  public mutating func encode<Wrapper: FieldWrapper & Encodable>(_ value: Wrapper, forKey key: Key) throws {
    if !value.isAbsent { try encodeValue(value, in: &self, forKey: key) }
  }
}

// Generic over any type, these functions call the standard library's methods and not the overloads above.

func decodeValue<T: Decodable, Key>(
  _ type: T.Type, in container: KeyedDecodingContainer<Key>, forKey key: Key
) throws -> T {
  try container.decode(type, forKey: key)
}

func encodeValue<T: Encodable, Key>(
  _ value: T, in container: inout KeyedEncodingContainer<Key>, forKey key: Key
) throws {
  try container.encode(value, forKey: key)
}
