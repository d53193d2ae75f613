public import Foundation

/// The type of a property that ``CodedBy`` can wrap. The property is either required or optional. An optional property
/// is nil if the key is missing or the value is null.
///
/// To use ``CodedBy`` with your own type, declare an empty conformance: `extension Color: OptionalField {}`.
public protocol OptionalField {
  /// The type of the value itself, without `Optional`.
  associatedtype FieldValue

  /// The property's value if the key is missing or the value is null, or nil if a value is required.
  static var absentField: Self? { get }

  /// The value itself, or nil if the property is nil.
  var fieldValue: FieldValue? { get }

  /// Creates the property's value from a value without `Optional`.
  init(fieldValue: FieldValue)
}

extension OptionalField where FieldValue == Self {
  /// Nil, because a value is required.
  public static var absentField: Self? { nil }

  /// The value itself.
  public var fieldValue: Self? { self }

  /// Creates the property's value, which is the given value unchanged.
  public init(fieldValue: Self) { self = fieldValue }
}

extension Optional: OptionalField {
  /// The type of the value itself, without `Optional`.
  public typealias FieldValue = Wrapped

  /// Nil, which is the property's value if the key is missing or the value is null.
  public static var absentField: Wrapped?? { .some(nil) }

  /// The value itself, or nil if the property is nil.
  public var fieldValue: Wrapped? { self }

  /// Creates the property's value from a value without `Optional`.
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
