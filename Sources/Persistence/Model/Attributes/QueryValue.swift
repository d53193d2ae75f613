/// A type whose values can be compared in a query. All attribute types and ``ObjectID`` conform to this protocol.
nonisolated public protocol QueryValue: Sendable {
  /// The non-optional type, for example `Double` for both `Double` and `Double?`.
  associatedtype Unwrapped: QueryValue = Self

  /// The form in which the store compares the value. Types that conform to ``AttributeValue`` have a default
  /// implementation.
  var _operand: StoredValue { get }

  /// Returns the value that is stored in the given form, or nil if there is no such value. Types that conform to
  /// ``AttributeValue`` have a default implementation.
  static func _value(_ operand: StoredValue) -> Self?

  /// Whether values have the same order as their stored forms. If this property is false, queries can neither compare
  /// values with `<` nor find the minimum or maximum. The default is false because, for example, an enumeration's order
  /// can differ from the order of its raw values.
  static var isStoredInOrder: Bool { get }

  /// Whether sums and products of values equal the sums and products of their stored forms. In your own types, keep the
  /// default, which is false.
  static var _isCalculable: Bool { get }
}

extension QueryValue {
  /// False, because values may be ordered differently from their stored forms.
  public static var isStoredInOrder: Bool { false }

  /// False, because the stored form may not be a number, or may be rounded differently from the value.
  public static var _isCalculable: Bool { false }
}

extension AttributeValue {
  /// The stored form.
  public var _operand: StoredValue { StoredForm.of(self) }

  /// Returns the value with the given stored form.
  public static func _value(_ operand: StoredValue) -> Self? { Self(stored: operand) }
}

extension Optional: QueryValue where Wrapped: QueryValue {
  /// The wrapped type.
  public typealias Unwrapped = Wrapped

  /// The stored form of the wrapped value, or `null` for nil.
  public var _operand: StoredValue {
    switch self {
    case .some(let value): value._operand
    case nil: .null
    }
  }

  /// Returns the wrapped value that is stored in the given form, or nil if the form is `null`.
  public static func _value(_ operand: StoredValue) -> Wrapped?? {
    operand.isNull ? .some(nil) : Wrapped._value(operand).map { .some($0) }
  }

  /// Whether values of the wrapped type have the same order as their stored forms.
  public static var isStoredInOrder: Bool { Wrapped.isStoredInOrder }

  /// Whether sums and products of the wrapped type's values equal the sums and products of their stored forms.
  public static var _isCalculable: Bool { Wrapped._isCalculable }
}

extension ObjectID: QueryValue {
  /// The id's number as a stored integer.
  public var _operand: StoredValue { .integer(rawValue) }

  /// Returns the id with the given number, or nil if the form is not an integer.
  public static func _value(_ operand: StoredValue) -> ObjectID? {
    if case .integer(let number) = operand { ObjectID(rawValue: number) } else { nil }
  }

  /// True, because ids are ordered by their numbers, which are also their stored forms.
  public static var isStoredInOrder: Bool { true }
}
