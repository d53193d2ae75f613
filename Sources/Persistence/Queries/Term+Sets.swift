extension Term where Value: QueryValue {
  // Disfavored, because a range of integers is also a sequence.

  /// A condition that is true if the term is not nil and equals one of the given values.
  ///
  /// You can pass any number of integers or ids, or at most 16,384 values of another type.
  @_disfavoredOverload
  public func isIn(_ values: some Sequence<Value.Unwrapped>) -> Query<Root> {
    Query(scoped.condition(.isIn(scoped.expression, values.map(\._operand))))
  }

  /// A condition that is true if the term equals one of the given values, which can include nil.
  ///
  /// You can pass any number of integers or ids, or at most 16,384 values of another type.
  @_disfavoredOverload
  public func isIn(_ values: some Sequence<Value.Unwrapped?>) -> Query<Root> {
    Query(scoped.condition(.isIn(scoped.expression, values.map(\._operand))))
  }
}

extension Term where Value: QueryValue, Value.Unwrapped: Comparable {
  /// A condition that is true if the term is not nil and is in the range, as in `$0.year.isIn(1990...1999)`.
  public func isIn(_ range: some RangeExpression<Value.Unwrapped>) -> Query<Root> {
    Query(scoped.condition(.isIn(scoped.expression, range)))
  }
}

extension QueryExpression {
  static func isIn<Bounds: RangeExpression>(_ element: QueryExpression, _ range: Bounds) -> QueryExpression {
    guard let bounds = range as? any StoredBounds else {
      return .unsupportedQuery(
        UnsupportedQueryError("\(Bounds.self)", "ranges with bounds of this type are not supported"))
    }
    guard StoredForm.isInOrder(Bounds.Bound.self) else {
      return .unsupportedQuery(.unordered(Bounds.Bound.self, .less))
    }
    let lower = bounds.storedLower.map { QueryExpression.ordered(element, .greaterOrEqual, .value($0)) }
    let upper = bounds.storedUpper.map { QueryExpression.ordered(element, $0.order, .value($0.value)) }
    guard let lower else { return upper ?? .truth(true) }
    return upper.map { .and(lower, $0) } ?? lower
  }
}

/// A range whose bounds can be stored.
protocol StoredBounds {
  var storedLower: StoredValue? { get }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { get }
}

extension ClosedRange: StoredBounds where Bound: QueryValue {
  var storedLower: StoredValue? { lowerBound._operand }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { (.lessOrEqual, upperBound._operand) }
}

extension Range: StoredBounds where Bound: QueryValue {
  var storedLower: StoredValue? { lowerBound._operand }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { (.less, upperBound._operand) }
}

extension PartialRangeFrom: StoredBounds where Bound: QueryValue {
  var storedLower: StoredValue? { lowerBound._operand }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { nil }
}

extension PartialRangeThrough: StoredBounds where Bound: QueryValue {
  var storedLower: StoredValue? { nil }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { (.lessOrEqual, upperBound._operand) }
}

extension PartialRangeUpTo: StoredBounds where Bound: QueryValue {
  var storedLower: StoredValue? { nil }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { (.less, upperBound._operand) }
}
