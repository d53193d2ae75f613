/// A value whose JSON object must not contain members that its type does not decode.
///
/// ```swift
/// @RefusingUnknown var movie: Movie
/// ```
///
/// It also works with types whose initializer is synthesized, but does not cover objects nested in the value. The
/// wrapper can be decoded on its own: `decoder.decode(RefusingUnknown<Movie>.self, from: data).wrappedValue`. Encoding
/// is not affected.
@propertyWrapper
public struct RefusingUnknown<Value: Decodable>: FieldWrapper {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// For an optional property, a wrapper that contains nil; for any other property, nil, because the key is required.
  public static var absent: RefusingUnknown? { nilValue(of: Value.self).map { RefusingUnknown(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { isNilValue(wrappedValue) }

  /// Decodes the value.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with an ``UnknownMembersError`` if the object has other members, and any
  ///   error thrown while decoding the value.
  public init(from decoder: any Decoder) throws {
    let decoder = decoder.recordingMembers()
    wrappedValue = try Value(from: decoder)
    try decoder.refuseUnknownMembers()
  }
}

extension RefusingUnknown: Encodable where Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension RefusingUnknown: Sendable where Value: Sendable {}
extension RefusingUnknown: Equatable where Value: Equatable {}
extension RefusingUnknown: Hashable where Value: Hashable {}
