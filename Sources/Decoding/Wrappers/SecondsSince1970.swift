public import Foundation

/// A date that stands in the document as a number of seconds since 1970.
///
/// ```swift
/// @SecondsSince1970 var created: Date
/// ```
///
/// An optional property is nil where the key is missing or null. Encodes back the same way.
@propertyWrapper
public struct SecondsSince1970<Value: OptionalField>: FieldWrapper where Value.FieldValue == Date {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Nil for an optional property; otherwise the key must be there.
  public static var absent: SecondsSince1970? { Value.absentField.map { SecondsSince1970(wrappedValue: $0) } }

  /// Whether the value is nil.
  public var isAbsent: Bool { wrappedValue.fieldValue == nil }

  /// Decodes a number of seconds.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil(), let absent = Value.absentField {
      wrappedValue = absent
    } else {
      wrappedValue = Value(fieldValue: try FieldStrategy<Date>.secondsSince1970.decode(from: container))
    }
  }
}

extension SecondsSince1970: Encodable {
  /// Encodes the number of seconds since 1970.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value = wrappedValue.fieldValue {
      try container.encode(value.timeIntervalSince1970)
    } else {
      try container.encodeNil()
    }
  }
}

extension SecondsSince1970: Sendable where Value: Sendable {}
extension SecondsSince1970: Equatable where Value: Equatable {}
extension SecondsSince1970: Hashable where Value: Hashable {}
