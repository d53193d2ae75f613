extension Query {
  static func equal<Value: AttributeValue>(_ path: any PropertyPath, _ value: Value) -> Query {
    Query(.equal(.property(path, of: 0), .value(StoredForm.of(value))))
  }

  static func ordered<Value: AttributeValue>(
    _ path: any PropertyPath, _ order: QueryExpression.Order, _ value: Value
  ) -> Query {
    guard StoredForm.isInOrder(Value.self) else { return Query(.unsupportedQuery(.unordered(Value.self, order))) }
    return Query(.ordered(.property(path, of: 0), order, .value(StoredForm.of(value))))
  }

  static func ordered(
    _ path: any PropertyPath, _ order: QueryExpression.Order, _ other: any PropertyPath, _ type: any Any.Type
  ) -> Query {
    guard StoredForm.isInOrder(type) else { return Query(.unsupportedQuery(.unordered(type, order))) }
    return Query(.ordered(.property(path, of: 0), order, .property(other, of: 0)))
  }
}

extension UnsupportedQueryError {
  static func unordered(_ type: any Any.Type, _ order: QueryExpression.Order) -> UnsupportedQueryError {
    UnsupportedQueryError(
      "\(type) \(order.rawValue) \(type)", "the stored form of this type does not preserve its order")
  }
}

// The operators are constrained to key paths of managed objects, which hides them from other code.

/// A condition that is true if the property has this value. Nil counts as a value.
public func == <Root: ManagedObject, Value: AttributeValue>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.equal(path, value)
}

/// A condition that is true if the property has a different value. Nil counts as a value.
public func != <Root: ManagedObject, Value: AttributeValue>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  !Query.equal(path, value)
}

/// A condition that is true if the property is less than this value.
public func < <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .less, value)
}

/// A condition that is true if the property is not nil and less than this value.
public func < <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value?> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .less, value)
}

/// A condition that is true if the property is at most this value.
public func <= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .lessOrEqual, value)
}

/// A condition that is true if the property is not nil and at most this value.
public func <= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value?> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .lessOrEqual, value)
}

/// A condition that is true if the property is greater than this value.
public func > <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .greater, value)
}

/// A condition that is true if the property is not nil and greater than this value.
public func > <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value?> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .greater, value)
}

/// A condition that is true if the property is at least this value.
public func >= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .greaterOrEqual, value)
}

/// A condition that is true if the property is not nil and at least this value.
public func >= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value?> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .greaterOrEqual, value)
}
