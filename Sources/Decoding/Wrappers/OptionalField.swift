public import Foundation

/// A type of property that a wrapper can hold: a value, or an optional one, for which missing and null are nil.
public protocol OptionalField {
  /// The value without the optional around it.
  associatedtype Present

  /// What missing and null mean; nil when there must be a value.
  static var none: Self? { get }

  /// The value; nil when there is none.
  var present: Present? { get }

  /// Takes a value that is there.
  init(present: Present)
}

extension OptionalField where Present == Self {
  /// Nothing: there must be a value.
  public static var none: Self? { nil }

  /// The value itself.
  public var present: Self? { self }

  /// Takes the value itself.
  public init(present: Self) { self = present }
}

extension Optional: OptionalField {
  /// The value without the optional around it.
  public typealias Present = Wrapped

  /// Nil, for missing and null.
  public static var none: Wrapped?? { .some(nil) }

  /// The value; nil when there is none.
  public var present: Wrapped? { self }

  /// Takes a value that is there.
  public init(present: Wrapped) { self = present }
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
