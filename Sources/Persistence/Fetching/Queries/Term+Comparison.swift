// The operators are members of terms, which hides them from other code.

extension Term where Value: QueryValue {
  /// A condition that is true if the term has this value. Nil counts as a value.
  public static func == (term: Term, value: Value) -> Query<Root> { term.isEqual(to: value) }

  /// A condition that is true if the term has a different value. Nil counts as a value.
  public static func != (term: Term, value: Value) -> Query<Root> { !term.isEqual(to: value) }

  private func isEqual(to value: Value) -> Query<Root> { condition(.equal(expression, .value(value._operand))) }
}

extension Term where Value: QueryValue, Value.Unwrapped: Comparable {
  /// A condition that is true if the term is not nil and less than this value.
  public static func < (term: Term, value: Value.Unwrapped) -> Query<Root> { term.ordered(.less, value) }

  /// A condition that is true if the term is not nil and at most this value.
  public static func <= (term: Term, value: Value.Unwrapped) -> Query<Root> { term.ordered(.lessOrEqual, value) }

  /// A condition that is true if the term is not nil and greater than this value.
  public static func > (term: Term, value: Value.Unwrapped) -> Query<Root> { term.ordered(.greater, value) }

  /// A condition that is true if the term is not nil and at least this value.
  public static func >= (term: Term, value: Value.Unwrapped) -> Query<Root> { term.ordered(.greaterOrEqual, value) }

  private func ordered(_ order: QueryExpression.Order, _ value: Value.Unwrapped) -> Query<Root> {
    let type = Value.Unwrapped.self
    guard StoredForm.isInOrder(type) else { return Query(.unsupportedQuery(.unordered(type, order))) }
    return condition(.ordered(expression, order, .value(value._operand)))
  }
}

extension UnsupportedQueryError {
  static func unordered(_ type: any Any.Type, _ order: QueryExpression.Order) -> UnsupportedQueryError {
    UnsupportedQueryError(
      "\(type) \(order.rawValue) \(type)", "the stored form of this type does not preserve its order")
  }
}
