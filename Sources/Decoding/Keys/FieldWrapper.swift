/// A type for properties, such as a property wrapper, that defines what a missing key means.
///
/// Synthesized `Codable` code decodes a property of any other type with `decode(_:forKey:)`, which throws for a missing
/// key. A property whose type conforms to this protocol is set to ``absent`` instead, and is not encoded if
/// ``isAbsent`` is true. Null is passed to `init(from:)` like any other value.
public protocol FieldWrapper: Decodable {
  /// The value for a missing key, or nil if the key is required.
  static var absent: Self? { get }

  /// Whether to omit the property when encoding.
  var isAbsent: Bool { get }
}

extension KeyedDecodingContainer {
  /// Decodes the property, or returns its value for a missing key.
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
