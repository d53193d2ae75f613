/// A type whose values can be compared in a query. All types that an attribute can have conform, and so does
/// ``ObjectID``.
public protocol QueryValue: Sendable {
  /// The type without its `Optional`: `Double` for `Double` and for `Double?`.
  associatedtype Unwrapped: QueryValue = Self

  /// The form in which the store compares the value. An ``AttributeValue`` has a default.
  var _operand: StoredValue { get }
}

extension AttributeValue {
  /// The stored form.
  public var _operand: StoredValue { StoredForm.of(self) }
}

extension Optional: QueryValue where Wrapped: QueryValue {
  /// The wrapped type.
  public typealias Unwrapped = Wrapped

  /// The form of the wrapped value, or `null` for nil.
  public var _operand: StoredValue {
    switch self {
    case .some(let value): value._operand
    case nil: .null
    }
  }
}

extension ObjectID: QueryValue {
  /// The number.
  public var _operand: StoredValue { .integer(rawValue) }
}
