public import Foundation

/// A type of property that a wrapper can hold: a value, or an optional one, for which missing and null are nil.
public protocol OptionalField {
  /// The value without the optional around it.
  associatedtype FieldValue

  /// What missing and null mean; nil when there must be a value.
  static var absentField: Self? { get }

  /// The value; nil when there is none.
  var fieldValue: FieldValue? { get }

  /// Takes a value that is there.
  init(fieldValue: FieldValue)
}

extension OptionalField where FieldValue == Self {
  /// Nothing: there must be a value.
  public static var absentField: Self? { nil }

  /// The value itself.
  public var fieldValue: Self? { self }

  /// Takes the value itself.
  public init(fieldValue: Self) { self = fieldValue }
}

extension Optional: OptionalField {
  /// The value without the optional around it.
  public typealias FieldValue = Wrapped

  /// Nil, for missing and null.
  public static var absentField: Wrapped?? { .some(nil) }

  /// The value; nil when there is none.
  public var fieldValue: Wrapped? { self }

  /// Takes a value that is there.
  public init(fieldValue: Wrapped) { self = fieldValue }
}

extension String: OptionalField {}
extension Date: OptionalField {}
extension Int: OptionalField {}
extension Int32: OptionalField {}
extension Int64: OptionalField {}
extension UInt: OptionalField {}
extension UInt32: OptionalField {}
extension UInt64: OptionalField {}
extension Double: OptionalField {}
extension Float: OptionalField {}
