extension Query {
  /// A condition that is true if the property has one of these values, which may include nil.
  ///
  /// The number of integers is not limited. At most 16 384 values of other types are allowed.
  public static func isIn<Value: AttributeValue>(
    _ path: any KeyPath<Root, Value> & Sendable, _ values: some Sequence<Value>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), values.map { StoredForm.of($0) }))
  }

  /// A condition that is true if the property is not nil and has one of these values.
  public static func isIn<Value: AttributeValue>(
    _ path: any KeyPath<Root, Value?> & Sendable, _ values: some Sequence<Value>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), values.map { StoredForm.of($0) }))
  }

  /// A condition that is true if the object has one of these ids.
  public static func isIn(
    _ path: any KeyPath<Root, ObjectID<Root>> & Sendable, _ ids: some Sequence<ObjectID<Root>>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), ids.map { .integer($0.rawValue) }))
  }

  /// A condition that is true if the property is in the range, as in `.isIn(\.year, 1990...1999)`.
  public static func isIn<Value: AttributeValue & Comparable>(
    _ path: any KeyPath<Root, Value> & Sendable, _ range: some RangeExpression<Value>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), range))
  }

  /// A condition that is true if the property is not nil and is in the range.
  public static func isIn<Value: AttributeValue & Comparable>(
    _ path: any KeyPath<Root, Value?> & Sendable, _ range: some RangeExpression<Value>
  ) -> Query {
    Query(.isIn(.property(path, of: 0), range))
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

extension ClosedRange: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { StoredForm.of(lowerBound) }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { (.lessOrEqual, StoredForm.of(upperBound)) }
}

extension Range: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { StoredForm.of(lowerBound) }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { (.less, StoredForm.of(upperBound)) }
}

extension PartialRangeFrom: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { StoredForm.of(lowerBound) }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { nil }
}

extension PartialRangeThrough: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { nil }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { (.lessOrEqual, StoredForm.of(upperBound)) }
}

extension PartialRangeUpTo: StoredBounds where Bound: AttributeValue {
  var storedLower: StoredValue? { nil }
  var storedUpper: (order: QueryExpression.Order, value: StoredValue)? { (.less, StoredForm.of(upperBound)) }
}
