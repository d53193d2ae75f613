// The operators are members of terms, which hides them from other code.

extension Term where Value: QueryValue {
  /// A condition that is true if the term equals the given value. Nil equals nil.
  @inlinable public static func == (term: Term, value: Value) -> Query<Root> {
    Query(term.scoped.isEqual(to: value._operand, Value.Unwrapped.self))
  }

  /// A condition that is true if the term does not equal the given value. Nil equals nil.
  @inlinable public static func != (term: Term, value: Value) -> Query<Root> {
    Query(term.scoped.isEqual(to: value._operand, Value.Unwrapped.self).negated)
  }
}

extension Term where Value: QueryValue, Value.Unwrapped: Comparable {
  /// A condition that is true if the term is not nil and less than the given value.
  @inlinable public static func < (term: Term, value: Value.Unwrapped) -> Query<Root> {
    Query(term.scoped.less(value._operand, Value.Unwrapped.self))
  }

  /// A condition that is true if the term is not nil and at most the given value.
  @inlinable public static func <= (term: Term, value: Value.Unwrapped) -> Query<Root> {
    Query(term.scoped.lessOrEqual(value._operand, Value.Unwrapped.self))
  }

  /// A condition that is true if the term is not nil and greater than the given value.
  @inlinable public static func > (term: Term, value: Value.Unwrapped) -> Query<Root> {
    Query(term.scoped.greater(value._operand, Value.Unwrapped.self))
  }

  /// A condition that is true if the term is not nil and at least the given value.
  @inlinable public static func >= (term: Term, value: Value.Unwrapped) -> Query<Root> {
    Query(term.scoped.greaterOrEqual(value._operand, Value.Unwrapped.self))
  }
}

extension UnsupportedQueryError {
  static func unordered(_ type: any Any.Type, _ order: QueryExpression.Order) -> UnsupportedQueryError {
    UnsupportedQueryError(
      "\(type) \(order.rawValue) \(type)", "the stored form of this type does not preserve its order")
  }
}
