/// A number that stands in the document as a text; a plain number is taken too.
///
/// ```swift
/// @NumberInText var pages: Int   // "312"
/// ```
///
/// An optional property is nil where the key is missing or null. Encodes as a text.
@propertyWrapper
public struct NumberInText<Value: OptionalField>: FieldWrapper
where Value.FieldValue: LosslessStringConvertible & Codable & Numeric & Sendable {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Nil for an optional property; otherwise the key must be there.
  public static var absent: NumberInText? { Value.absentField.map { NumberInText(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { wrappedValue.fieldValue == nil }

  /// Decodes a text that holds a number, or a number.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil(), let absent = Value.absentField {
      wrappedValue = absent
    } else {
      wrappedValue = Value(fieldValue: try FieldStrategy.numberOrText.decode(from: container))
    }
  }
}

extension NumberInText: Encodable {
  /// Encodes the number as a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value = wrappedValue.fieldValue {
      try container.encode("\(value)")
    } else {
      try container.encodeNil()
    }
  }
}

extension NumberInText: Sendable where Value: Sendable {}
extension NumberInText: Equatable where Value: Equatable {}
extension NumberInText: Hashable where Value: Hashable {}
