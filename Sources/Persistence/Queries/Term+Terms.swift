// The terms can belong to different classes, because a nested closure can compare its row with those around it. The
// operators are disfavored because most clauses compare a term with a value: the compiler then tries these last.

extension Term where Value: QueryValue {
  /// A condition that is true if both terms have the same value. Nil equals nil.
  @_disfavoredOverload
  public static func == <Other: ManagedObject, OtherValue: QueryValue>(
    term: Term, other: Term<Other, OtherValue>
  ) -> Query<Root> where OtherValue.Unwrapped == Value.Unwrapped { Query(term.scoped.isEqual(to: other.scoped)) }

  /// A condition that is true if the terms have different values.
  @_disfavoredOverload
  public static func != <Other: ManagedObject, OtherValue: QueryValue>(
    term: Term, other: Term<Other, OtherValue>
  ) -> Query<Root> where OtherValue.Unwrapped == Value.Unwrapped {
    Query(term.scoped.isEqual(to: other.scoped).negated)
  }
}

extension Term where Value: QueryValue, Value.Unwrapped: Comparable {
  /// A condition that is true if the first term is less than the second.
  @_disfavoredOverload
  public static func < <Other: ManagedObject, OtherValue: QueryValue>(
    term: Term, other: Term<Other, OtherValue>
  ) -> Query<Root> where OtherValue.Unwrapped == Value.Unwrapped { term.ordered(.less, other) }

  /// A condition that is true if the first term is at most the second.
  @_disfavoredOverload
  public static func <= <Other: ManagedObject, OtherValue: QueryValue>(
    term: Term, other: Term<Other, OtherValue>
  ) -> Query<Root> where OtherValue.Unwrapped == Value.Unwrapped { term.ordered(.lessOrEqual, other) }

  /// A condition that is true if the first term is greater than the second.
  @_disfavoredOverload
  public static func > <Other: ManagedObject, OtherValue: QueryValue>(
    term: Term, other: Term<Other, OtherValue>
  ) -> Query<Root> where OtherValue.Unwrapped == Value.Unwrapped { term.ordered(.greater, other) }

  /// A condition that is true if the first term is at least the second.
  @_disfavoredOverload
  public static func >= <Other: ManagedObject, OtherValue: QueryValue>(
    term: Term, other: Term<Other, OtherValue>
  ) -> Query<Root> where OtherValue.Unwrapped == Value.Unwrapped { term.ordered(.greaterOrEqual, other) }

  private func ordered<Other: ManagedObject, OtherValue>(
    _ order: QueryExpression.Order, _ other: Term<Other, OtherValue>
  ) -> Query<Root> {
    Query(scoped.ordered(order, other.scoped, Value.Unwrapped.self))
  }
}
