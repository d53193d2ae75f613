extension Query {
  /// Whether the property has one of these values; nil may be among them.
  ///
  /// Whole numbers may be any number of values; of others at most 16 384 are possible.
  public static func isIn<Value: AttributeValue>(
    _ path: any KeyPath<Root, Value> & Sendable, _ values: some Sequence<Value>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), values.map { StoredForm.of($0) }))
  }

  /// Whether the property is not nil and has one of these values.
  public static func isIn<Value: AttributeValue>(
    _ path: any KeyPath<Root, Value?> & Sendable, _ values: some Sequence<Value>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), values.map { StoredForm.of($0) }))
  }

  /// Whether the object is one of these.
  public static func isIn(
    _ path: any KeyPath<Root, ObjectID<Root>> & Sendable, _ ids: some Sequence<ObjectID<Root>>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), ids.map { .integer($0.rawValue) }))
  }

  /// Whether the property lies in the range: `.isIn(\.year, 1990...1999)`.
  public static func isIn<Value: AttributeValue & Comparable>(
    _ path: any KeyPath<Root, Value> & Sendable, _ range: some RangeExpression<Value>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), range))
  }

  /// Whether the property is not nil and lies in the range.
  public static func isIn<Value: AttributeValue & Comparable>(
    _ path: any KeyPath<Root, Value?> & Sendable, _ range: some RangeExpression<Value>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), range))
  }
}

extension Expression {
  static func isIn<Bounds: RangeExpression>(_ element: Expression, _ range: Bounds) -> Expression {
    guard let bounds = range as? any StoredBounds else {
      return .refused(QueryRefusal("\(Bounds.self)", "ranges with this kind of bounds are not known"))
    }
    guard StoredForm.isInOrder(Bounds.Bound.self) else { return .refused(.unordered(Bounds.Bound.self, .less)) }
    let lower = bounds.storedLower.map { Expression.ordered(element, .greaterOrEqual, .value($0)) }
    let upper = bounds.storedUpper.map { Expression.ordered(element, $0.order, .value($0.value)) }
    guard let lower else { return upper ?? .truth(true) }
    return upper.map { .and(lower, $0) } ?? lower
  }
}

/// A range between values that can be stored.
protocol StoredBounds {
  var storedLower: StoredValue? { get }
  var storedUpper: (order: Expression.Order, value: StoredValue)? { get }
}

extension ClosedRange: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { StoredForm.of(lowerBound) }
  var storedUpper: (order: Expression.Order, value: StoredValue)? { (.lessOrEqual, StoredForm.of(upperBound)) }
}

extension Range: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { StoredForm.of(lowerBound) }
  var storedUpper: (order: Expression.Order, value: StoredValue)? { (.less, StoredForm.of(upperBound)) }
}

extension PartialRangeFrom: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { StoredForm.of(lowerBound) }
  var storedUpper: (order: Expression.Order, value: StoredValue)? { nil }
}

extension PartialRangeThrough: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { nil }
  var storedUpper: (order: Expression.Order, value: StoredValue)? { (.lessOrEqual, StoredForm.of(upperBound)) }
}

extension PartialRangeUpTo: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { nil }
  var storedUpper: (order: Expression.Order, value: StoredValue)? { (.less, StoredForm.of(upperBound)) }
}
