/// A property that is decoded and encoded in a way of its own, as a ``FieldStrategySource`` says.
///
/// ```swift
/// @ISO8601 var created: Date
/// @MillisecondsSince1970 var changed: Date?
/// @NumberInText var pages: Int
/// ```
///
/// Those with names of their own are this wrapper: ``ISO8601``, ``SecondsSince1970``, ``MillisecondsSince1970``,
/// ``JoinedText``, ``NumberInText``. An optional property is nil where the key is missing or null, and then is not
/// encoded.
@propertyWrapper
public struct CodedBy<Source: FieldStrategySource, Value: OptionalField>: FieldWrapper
where Value.FieldValue == Source.Value {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Nil for an optional property; otherwise the key must be there.
  public static var absent: CodedBy? { Value.absentField.map { CodedBy(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { wrappedValue.fieldValue == nil }

  /// Decodes a value by the strategy.
  ///
  /// - Throws: `DecodingError` for what it does not read.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil(), let absent = Value.absentField {
      wrappedValue = absent
    } else {
      wrappedValue = Value(fieldValue: try Source.strategy.decode(from: container))
    }
  }
}

extension CodedBy: Encodable {
  /// Encodes the value by the strategy.
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
