/// A value whose object may have no members but those that its type reads.
///
/// ```swift
/// @RefusingUnknown var movie: Movie
/// ```
///
/// It holds for types whose initializer is synthesized too, not for values inside of the value. On its own it is a type
/// to decode: `decoder.decode(RefusingUnknown<Movie>.self, from: data).wrappedValue`. Encodes the value.
@propertyWrapper
public struct RefusingUnknown<Value: Decodable>: FieldWrapper {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Nil for an optional property; otherwise the key must be there.
  public static var absent: RefusingUnknown? { nilValue(of: Value.self).map { RefusingUnknown(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { isNilValue(wrappedValue) }

  /// Decodes the value.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with an ``UnknownMembersError`` for other members, and what the value
  ///   throws.
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
