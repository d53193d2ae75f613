/// A property that is decoded and encoded with the strategy of a ``FieldStrategySource``.
///
/// ```swift
/// @ISO8601 var created: Date
/// @MillisecondsSince1970 var changed: Date?
/// @NumberInString var pages: Int
/// ```
///
/// ``ISO8601``, ``SecondsSince1970``, ``MillisecondsSince1970``, ``JoinedString`` and ``NumberInString`` are aliases
/// for this wrapper with specific sources. An optional property is nil if the key is missing or the value is null. A
/// property that is nil is not encoded.
@propertyWrapper
public struct CodedBy<Source: FieldStrategySource, Value: OptionalField>: FieldWrapper
where Value.FieldValue == Source.Value {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// For an optional property, a wrapper that contains nil. For any other property, nil, which means that the key is
  /// required.
  public static var absent: CodedBy? { Value.absentField.map { CodedBy(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { wrappedValue.fieldValue == nil }

  /// Decodes a value with the strategy.
  ///
  /// - Throws: `DecodingError` for a value that the strategy cannot decode.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let absent = Value.absentField else {
      wrappedValue = Value(fieldValue: try Source.strategy.decode(from: container))
      return
    }
    let value = container.decodeNil() ? nil : try Source.strategy.decodeIfPresent(from: container)
    wrappedValue = value.map { Value(fieldValue: $0) } ?? absent
  }
}

extension CodedBy: Encodable {
  /// Encodes the value with the strategy.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value = wrappedValue.fieldValue {
      try container.encode(try Source.strategy.encoded(value))
    } else {
      try container.encodeNil()
    }
  }
}

extension CodedBy: Sendable where Value: Sendable {}
extension CodedBy: Equatable where Value: Equatable {}
extension CodedBy: Hashable where Value: Hashable {}
