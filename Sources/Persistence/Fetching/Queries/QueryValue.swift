/// A type whose values can be compared in a query. Every type that an attribute can have conforms to it, and so does
/// ``ObjectID``.
public protocol QueryValue: Sendable {
  /// The type without its `Optional`: `Double` for `Double` and for `Double?`.
  associatedtype Unwrapped: QueryValue = Self

  /// The form in which the store compares the value. An ``AttributeValue`` has a default implementation of this
  /// property.
  var _operand: StoredValue { get }

  /// The value with this form, or nil if there is none. An ``AttributeValue`` has a default implementation of this.
  static func _value(_ operand: StoredValue) -> Self?

  /// Whether of two values the lesser one also has the lesser stored form. Otherwise queries refuse to compare them
  /// with `<` and to find the least or the greatest one. False by default, because the order of an enumeration, for
  /// example, may differ from that of its raw values.
  static var isStoredInOrder: Bool { get }

  /// Whether the sums and products of values equal those of their stored forms. In your own types, keep the default,
  /// which is false.
  static var _isCalculable: Bool { get }
}

extension QueryValue {
  /// False, because nothing is known about the order of the values.
  public static var isStoredInOrder: Bool { false }

  /// False, because the stored form is no number, or rounds differently.
  public static var _isCalculable: Bool { false }
}

extension AttributeValue {
  /// The stored form.
  public var _operand: StoredValue { StoredForm.of(self) }

  /// The value with this stored form.
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

  /// nil for `null`, or the wrapped value with this form.
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

  /// The id with this number.
  public static func _value(_ operand: StoredValue) -> ObjectID? {
    if case .integer(let number) = operand { ObjectID(rawValue: number) } else { nil }
  }

  /// True. Ids have the order in which their objects were created.
  public static var isStoredInOrder: Bool { true }
}
