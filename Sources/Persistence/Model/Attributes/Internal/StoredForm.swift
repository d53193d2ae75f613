internal import Foundation

/// The stored forms of values in a query.
enum StoredForm {
  /// The form of a value whose type attributes can have. NaN has no stored form and is retained as it is: nothing
  /// equals it.
  @inline(__always) static func of<Value: AttributeValue>(_ value: Value) -> StoredValue {
    let stored = value.stored
    guard case .unstorable = stored else { return stored }
    return isNaN(value) ? .real(.nan) : stored
  }

  private static func isNaN(_ value: Any) -> Bool {
    switch value {
    case let value as Double: value.isNaN
    case let value as Float: value.isNaN
    case let value as Date: value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }

  /// The form of a value of any type, or nil if attributes cannot have this type.
  static func of(any value: Any) -> StoredValue? {
    switch value {
    case let value as any AttributeValue: of(value)
    case let id as any RowIdentifier: .integer(id.rawValue)
    case let ids as any OptionalRowIdentifier: ids.rawValueIfAny.map { .integer($0) } ?? .null
    default: nil
    }
  }

  /// Whether the values of a type have the same order as their stored forms.
  static func isInOrder(_ type: Any.Type) -> Bool { (type as? any QueryValue.Type)?.isStoredInOrder ?? false }

  /// Whether sums and products of a type equal those of its stored forms. `Float` rounds more, and `Decimal` is text.
  static func isCalculable(_ type: Any.Type) -> Bool { (type as? any QueryValue.Type)?._isCalculable ?? false }
}

/// Distinguishes object ids from other types.
protocol RowIdentifier {
  var rawValue: Int64 { get }
}

extension ObjectID: RowIdentifier {}

protocol OptionalRowIdentifier {
  var rawValueIfAny: Int64? { get }
}

extension Optional: OptionalRowIdentifier where Wrapped: RowIdentifier {
  var rawValueIfAny: Int64? { self?.rawValue }
}

protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
