/// A condition that is true if both properties have the same value. Nil equals nil.
public func == <Root: ManagedObject, Value: AttributeValue>(
  path: any KeyPath<Root, Value> & Sendable, other: any KeyPath<Root, Value> & Sendable
) -> Query<Root> {
  Query(.equal(.property(path, of: 0), .property(other, of: 0)))
}

/// A condition that is true if the properties have different values.
public func != <Root: ManagedObject, Value: AttributeValue>(
  path: any KeyPath<Root, Value> & Sendable, other: any KeyPath<Root, Value> & Sendable
) -> Query<Root> {
  Query(.not(.equal(.property(path, of: 0), .property(other, of: 0))))
}

/// A condition that is true if the first property is less than the second.
public func < <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, other: any KeyPath<Root, Value> & Sendable
) -> Query<Root> {
  Query.ordered(path, .less, other, Value.self)
}

/// A condition that is true if the first property is at most the second.
public func <= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, other: any KeyPath<Root, Value> & Sendable
) -> Query<Root> {
  Query.ordered(path, .lessOrEqual, other, Value.self)
}

/// A condition that is true if the first property is greater than the second.
public func > <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, other: any KeyPath<Root, Value> & Sendable
) -> Query<Root> {
  Query.ordered(path, .greater, other, Value.self)
}

/// A condition that is true if the first property is at least the second.
public func >= <Root: ManagedObject, Value: AttributeValue & Comparable>(
  path: any KeyPath<Root, Value> & Sendable, other: any KeyPath<Root, Value> & Sendable
) -> Query<Root> {
  Query.ordered(path, .greaterOrEqual, other, Value.self)
}
