public import Foundation

/// A type that ``CodedBy`` can wrap: either a required value, or an optional value that is nil if the key is missing or
/// null.
///
/// To use your own type, add one line: `extension Color: OptionalField {}`.
public protocol OptionalField {
  /// The type of the value itself, without `Optional`.
  associatedtype FieldValue

  /// The property's value for a missing key or null, or nil if a value is required.
  static var absentField: Self? { get }

  /// The value, or nil if there is none.
  var fieldValue: FieldValue? { get }

  /// Creates the property's value from an unwrapped value.
  init(fieldValue: FieldValue)
}

extension OptionalField where FieldValue == Self {
  /// Nil, because a value is required.
  public static var absentField: Self? { nil }

  /// The value itself.
  public var fieldValue: Self? { self }

  /// Creates the property's value from the value itself.
  public init(fieldValue: Self) { self = fieldValue }
}

extension Optional: OptionalField {
  /// The type of the value itself, without `Optional`.
  public typealias FieldValue = Wrapped

  /// Nil, which is the property's value for a missing key or null.
  public static var absentField: Wrapped?? { .some(nil) }

  /// The value, or nil if there is none.
  public var fieldValue: Wrapped? { self }

  /// Creates the property's value from an unwrapped value.
  public init(fieldValue: Wrapped) { self = fieldValue }
}

extension Bool: OptionalField {}
extension String: OptionalField {}
extension Double: OptionalField {}
extension Float: OptionalField {}
extension Int: OptionalField {}
extension Int8: OptionalField {}
extension Int16: OptionalField {}
extension Int32: OptionalField {}
extension Int64: OptionalField {}
extension Int128: OptionalField {}
extension UInt: OptionalField {}
extension UInt8: OptionalField {}
extension UInt16: OptionalField {}
extension UInt32: OptionalField {}
extension UInt64: OptionalField {}
extension UInt128: OptionalField {}
extension Data: OptionalField {}
extension Date: OptionalField {}
extension Decimal: OptionalField {}
extension URL: OptionalField {}
extension UUID: OptionalField {}
