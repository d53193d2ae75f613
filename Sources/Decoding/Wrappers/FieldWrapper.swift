/// A property wrapper, or another type of a property, that has a meaning for a key that is not there.
///
/// Synthesized `Codable` code asks for a property of any other type by `decode(_:forKey:)`, which throws for a missing
/// key. Types of this protocol get ``absent`` instead, and are left out when encoding where ``isAbsent`` says so.
/// `init(from:)` sees a null as any other value.
public protocol FieldWrapper: Decodable {
  /// What a missing key means; nil when it must not be missing.
  static var absent: Self? { get }

  /// Whether the property is left out when encoding.
  var isAbsent: Bool { get }
}

extension KeyedDecodingContainer {
  /// Decodes the property, or takes what a missing key means for it.
  ///
  /// - Throws: `DecodingError.keyNotFound` where it means nothing, and what decoding the value throws.
  public func decode<Wrapper: FieldWrapper>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper {
    if !contains(key), let absent = Wrapper.absent { return absent }
    return try decodeValue(type, in: self, forKey: key)
  }
}

extension KeyedEncodingContainer {
  /// Encodes the property, unless it is to be left out.
  ///
  /// - Throws: What encoding the value throws.
  public mutating func encode<Wrapper: FieldWrapper & Encodable>(_ value: Wrapper, forKey key: Key) throws {
    if !value.isAbsent { try encodeValue(value, in: &self, forKey: key) }
  }
}

// Where nothing more is known of the types, the standard library's own methods are called, and not the ones above.

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
