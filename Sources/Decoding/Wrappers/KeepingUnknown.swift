/// A value with those members of its object that its type does not read, which `$` has and encoding writes back.
///
/// ```swift
/// @KeepingUnknown var movie: Movie     // $movie: [String: JSONValue]
/// ```
///
/// It holds for types whose initializer is synthesized too, not for values inside of the value. On its own it is a type
/// to decode: `decoder.decode(KeepingUnknown<Movie>.self, from: data)`.
@propertyWrapper
public struct KeepingUnknown<Value: Decodable>: FieldWrapper {
  /// The value.
  public var wrappedValue: Value

  /// The members that the value's type does not read.
  public var projectedValue: [String: JSONValue] = [:]

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Nil for an optional property; otherwise the key must be there.
  public static var absent: KeepingUnknown? { nilValue(of: Value.self).map { KeepingUnknown(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { isNilValue(wrappedValue) }

  /// Decodes the value and the other members.
  ///
  /// - Throws: What decoding them throws.
  public init(from decoder: any Decoder) throws {
    let decoder = decoder.recordingMembers()
    wrappedValue = try Value(from: decoder)
    projectedValue = try decoder.unknownMembers()
  }
}

extension KeepingUnknown: Encodable where Value: Encodable {
  /// Encodes the members of the value and the others; where both have one of a name, that of the value.
  public func encode(to encoder: any Encoder) throws {
    if projectedValue.isEmpty {
      var container = encoder.singleValueContainer()
      return try container.encode(wrappedValue)
    }
    let json = encoder.nested()
    try json.encodeMembers(of: wrappedValue)
    for (name, value) in projectedValue.sorted(by: { $0.key < $1.key }) where !json.root.hasMember(name) {
      try json.encode(value, at: JSONPath(CompiledPath(steps: [.name(ByteString(name))])))
    }
  }
}

extension KeepingUnknown: Sendable where Value: Sendable {}
extension KeepingUnknown: Equatable where Value: Equatable {}
extension KeepingUnknown: Hashable where Value: Hashable {}
