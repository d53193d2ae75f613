extension Query {
  static func equal<Value: AttributeValue>(_ path: any PropertyPath, _ value: Value) -> Query {
    Query(.equal(.property(path, of: 0), .value(StoredForm.of(value))))
  }

  static func ordered<Value: AttributeValue>(
    _ path: any PropertyPath, _ order: Expression.Order, _ value: Value
  ) -> Query {
    guard StoredForm.isInOrder(Value.self) else { return Query(.refused(.unordered(Value.self, order))) }
    return Query(.ordered(.property(path, of: 0), order, .value(StoredForm.of(value))))
  }

  static func ordered(
    _ path: any PropertyPath, _ order: Expression.Order, _ other: any PropertyPath, _ type: any Any.Type
  ) -> Query {
    guard StoredForm.isInOrder(type) else { return Query(.refused(.unordered(type, order))) }
    return Query(.ordered(.property(path, of: 0), order, .property(other, of: 0)))
  }
}

extension QueryRefusal {
  static func unordered(_ type: any Any.Type, _ order: Expression.Order) -> QueryRefusal {
    QueryRefusal("\(type) \(order.rawValue) \(type)", "the store does not keep this type in its order")
  }
}

// The operators are constrained to the key paths of managed objects, so that others do not see them.

/// Whether the property has this value. nil is a value here.
public func == <Root: ManagedObject, Value: AttributeValue>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.equal(path, value)
}

/// Whether the property has another value. nil is a value here.
public func != <Root: ManagedObject, Value: AttributeValue>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  !Query.equal(path, value)
}

/// Whether the property is less than this value.
public func < <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .less, value)
}

/// Whether the property is not nil, and is less than this value.
public func < <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value?> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .less, value)
}

/// Whether the property is this value or less.
public func <= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .lessOrEqual, value)
}

/// Whether the property is not nil, and is this value or less.
public func <= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value?> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .lessOrEqual, value)
}

/// Whether the property is greater than this value.
public func > <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .greater, value)
}

/// Whether the property is not nil, and is greater than this value.
public func > <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value?> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .greater, value)
}

/// Whether the property is this value or greater.
public func >= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .greaterOrEqual, value)
}

/// Whether the property is not nil, and is this value or greater.
public func >= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value?> & Sendable, value: Value
) -> Query<Root> {
  Query.ordered(path, .greaterOrEqual, value)
}
