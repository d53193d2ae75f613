/// A property that cannot be decoded if its JSON object contains members that its type does not decode.
///
/// ```swift
/// @RefusingUnknown var movie: Movie
/// ```
///
/// The wrapper also works with types whose initializer is synthesized. It does not reject unknown members of objects
/// that are nested in the value. The wrapper can be decoded on its own:
/// `decoder.decode(RefusingUnknown<Movie>.self, from: data).wrappedValue`. The value is encoded as if it were not
/// wrapped.
@propertyWrapper
public struct RefusingUnknown<Value: Decodable>: FieldWrapper {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// For an optional property, a wrapper that contains nil. For any other property, nil, which means that the key is
  /// required.
  public static var absent: RefusingUnknown? { nilValue(of: Value.self).map { RefusingUnknown(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { isNilValue(wrappedValue) }

  /// Decodes the value.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with an ``UnknownMembersError`` if the object has members that the value's
  ///   type does not decode, and any error thrown while decoding the value.
  public init(from decoder: any Decoder) throws {
    let decoder = decoder.recordingMembers()
    wrappedValue = try Value(from: decoder)
    try decoder.refuseUnknownMembers()
  }
}

extension RefusingUnknown: Encodable where Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeSingleValue(wrappedValue)
  }
}

extension RefusingUnknown: Sendable where Value: Sendable {}
extension RefusingUnknown: Equatable where Value: Equatable {}
extension RefusingUnknown: Hashable where Value: Hashable {}
