/// A property that preserves the unknown members of its JSON object: the members that the property's type does not
/// decode. The projected value (`$`) contains the unknown members, and encoding writes them back.
///
/// ```swift
/// @KeepingUnknown var movie: Movie     // $movie: JSONObject
/// ```
///
/// The wrapper also works with types whose initializer is synthesized. It does not preserve unknown members of objects
/// that are nested in the value. The wrapper can be decoded on its own:
/// `decoder.decode(KeepingUnknown<Movie>.self, from: data)`.
@propertyWrapper
public struct KeepingUnknown<Value: Decodable>: FieldWrapper {
  /// The value.
  public var wrappedValue: Value

  /// The members that the value's type does not decode.
  public var projectedValue: JSONObject = [:]

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// For an optional property, a wrapper that contains nil. For any other property, nil, which means that the key is
  /// required.
  public static var absent: KeepingUnknown? { nilValue(of: Value.self).map { KeepingUnknown(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { isNilValue(wrappedValue) }

  /// Decodes the value, and stores the members that the value's type does not decode.
  ///
  /// - Throws: Any error thrown while decoding the value or the unknown members.
  public init(from decoder: any Decoder) throws {
    let decoder = decoder.recordingMembers()
    wrappedValue = try Value(from: decoder)
    projectedValue = try decoder.unknownMembers()
  }
}

extension KeepingUnknown: Encodable where Value: Encodable {
  /// Encodes the value's members and the unknown members. If an unknown member has the same name as a member of the
  /// value, the unknown member is omitted.
  public func encode(to encoder: any Encoder) throws {
    if projectedValue.isEmpty { return try encoder.encodeSingleValue(wrappedValue) }
    let json = encoder.nested()
    try json.encodeMembers(of: wrappedValue)
    try json.encodeMembers(of: JSONObject(projectedValue.filter { !json.root.hasMember($0.name) }))
  }
}

extension KeepingUnknown: Sendable where Value: Sendable {}
extension KeepingUnknown: Equatable where Value: Equatable {}
extension KeepingUnknown: Hashable where Value: Hashable {}
