/// A type whose values can be compared in a query. All attribute types and ``ObjectID`` conform to this protocol.
public protocol QueryValue: Sendable {
  /// The non-optional type, for example `Double` for both `Double` and `Double?`.
  associatedtype Unwrapped: QueryValue = Self

  /// The form in which the store compares the value. Types that conform to ``AttributeValue`` have a default
  /// implementation.
  var _operand: StoredValue { get }

  /// Returns the value with the given form, or nil if there is none. Types that conform to ``AttributeValue`` have a
  /// default implementation.
  static func _value(_ operand: StoredValue) -> Self?

  /// Whether values have the same order as their stored forms. If this is false, queries cannot compare values with `<`
  /// or find the minimum or maximum. The default is false because, for example, an enumeration's order may differ from
  /// the order of its raw values.
  static var isStoredInOrder: Bool { get }

  /// Whether sums and products of values equal the sums and products of their stored forms. In your own types, keep the
  /// default, which is false.
  static var _isCalculable: Bool { get }
}

extension QueryValue {
  /// False, because the order of the values is not known.
  public static var isStoredInOrder: Bool { false }

  /// False, because the stored form is not a number or rounds differently.
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

  /// The form of the wrapped value, or `null` for nil.
  public var _operand: StoredValue {
    switch self {
    case .some(let value): value._operand
    case nil: .null
    }
  }

  /// Returns nil for `null`, or the wrapped value with the given form.
  public static func _value(_ operand: StoredValue) -> Wrapped?? {
    operand.isNull ? .some(nil) : Wrapped._value(operand).map { .some($0) }
  }

  /// The same as for the wrapped type.
  public static var isStoredInOrder: Bool { Wrapped.isStoredInOrder }

  /// The same as for the wrapped type.
  public static var _isCalculable: Bool { Wrapped._isCalculable }
}

extension ObjectID: QueryValue {
  /// The number.
  public var _operand: StoredValue { .integer(rawValue) }

  /// Returns the id with the given number.
  public static func _value(_ operand: StoredValue) -> ObjectID? {
    if case .integer(let number) = operand { ObjectID(rawValue: number) } else { nil }
  }

  /// True, because ids are in the order in which their objects were created.
  public static var isStoredInOrder: Bool { true }
}
