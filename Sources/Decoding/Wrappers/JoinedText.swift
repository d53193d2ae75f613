/// A text that stands in the document as an array of texts; they are joined with a comma and a space.
///
/// ```swift
/// @JoinedText var authors: String?   // ["Ann", "Ben"] gives "Ann, Ben"
/// ```
///
/// An optional property is nil where the key is missing or null. Encodes as one text, which it also decodes from: what the parts were cannot be told any more.
@propertyWrapper
public struct JoinedText<Value: OptionalField>: FieldWrapper where Value.FieldValue == String {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Nil for an optional property; otherwise the key must be there.
  public static var absent: JoinedText? { Value.absentField.map { JoinedText(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { wrappedValue.fieldValue == nil }

  /// Decodes an array of texts, or a single text.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil(), let absent = Value.absentField {
      wrappedValue = absent
    } else {
      wrappedValue = Value(fieldValue: try FieldStrategy<String>.joined().decode(from: container))
    }
  }
}

extension JoinedText: Encodable {
  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value = wrappedValue.fieldValue {
      try container.encode(value)
    } else {
      try container.encodeNil()
    }
  }
}

extension JoinedText: Sendable where Value: Sendable {}
extension JoinedText: Equatable where Value: Equatable {}
extension JoinedText: Hashable where Value: Hashable {}
