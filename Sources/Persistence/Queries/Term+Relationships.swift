/// Conditions on a to-many relationship.
extension Term where Value: RelatedCollection {
  /// A condition that is true if at least one object in the relationship matches the given condition, as in
  /// `$0.members.contains { $0.name == "Ann" }`.
  public func contains(where condition: (Row<Value.Member>) -> Query<Value.Member>) -> Query<Root> {
    members(where: condition) { .exists(in: $0, where: $1) }
  }

  /// A condition that is true if all objects in the relationship match the given condition, or if the relationship is
  /// empty.
  public func allSatisfy(_ condition: (Row<Value.Member>) -> Query<Value.Member>) -> Query<Root> {
    members(where: condition) { .not(.exists(in: $0, where: .not($1))) }
  }

  /// The number of objects in the relationship that match a condition, as in `$0.members.count { $0.isActive } > 2`.
  public func count(where condition: (Row<Value.Member>) -> Query<Value.Member>) -> Term<Root, Int> {
    members(where: condition) { .count(of: $0, where: $1) }
  }

  /// The number of objects in the relationship.
  public var count: Term<Root, Int> {
    Term<Root, Int>(
      ScopedExpression(.count(of: scoped.expression, where: .truth(true)), depth: scoped.depth + 5, row: scoped.row))
  }

  /// A condition that is true if the relationship contains no objects.
  public var isEmpty: Query<Root> {
    Query(
      ScopedExpression(
        .not(.exists(in: scoped.expression, where: .truth(true))), depth: scoped.depth + 5, row: scoped.row))
  }
}

/// Conditions on a to-one relationship.
extension Term {
  /// A condition that is true if the relationship refers to an object that matches the given condition, as in
  /// `$0.director.contains { $0.name == "Coen" && $0.isActive }`.
  ///
  /// To compare only one property of the related object with a value, write `$0.director.name == "Coen"`.
  public func contains<Target: ManagedObject>(
    where condition: (Row<Target>) -> Query<Target>
  ) -> Query<Root> where Value == Target? {
    members(where: condition) { .exists(in: $0, where: $1) }
  }

  /// A condition that is true if the relationship refers to the object with the given id or, if the id is nil, to no
  /// object.
  public static func == <Target: ManagedObject>(
    term: Term, id: ObjectID<Target>?
  ) -> Query<Root> where Value == Target? { Query(term.scoped.isEqual(to: id._operand, ObjectID<Target>.self)) }

  /// A condition that is true if the relationship does not refer to the object with the given id. If the id is nil, the
  /// condition is true if the relationship refers to an object.
  public static func != <Target: ManagedObject>(
    term: Term, id: ObjectID<Target>?
  ) -> Query<Root> where Value == Target? { Query(term.scoped.isEqual(to: id._operand, ObjectID<Target>.self).negated) }

  private func members<Member: ManagedObject, Result>(
    where condition: (Row<Member>) -> Query<Member>, _ make: (QueryExpression, QueryExpression) -> QueryExpression
  ) -> Term<Root, Result> {
    let condition = ScopedExpression.condition(isNested: true) { condition(Row(_number: $0)).scoped }
    // Both parts must have the same scopes: outside of the closure, scope 0 is the innermost row.
    let owner = scoped.inInnermostRow
    return Term<Root, Result>(
      ScopedExpression(
        make(owner.expression, condition.expression), depth: max(owner.depth + 5, condition.depth + 4), row: owner.row))
  }
}

/// The type of a to-many relationship in a condition. ``RelatedObjects`` is the only type that needs to conform to this
/// protocol.
public protocol RelatedCollection {
  /// The class of the objects in the relationship.
  associatedtype Member: ManagedObject
}

extension RelatedObjects: RelatedCollection {
  /// The class of the objects in the relationship.
  public typealias Member = Element
}

/// Values that may be nil because there is no related object.
extension Term where Value: QueryValue {
  /// This term, with its type made optional. For example, `$0.director.name.optional` is nil if there is no director.
  ///
  /// To select a property of a related object, or to group by it, use `optional` or provide a default value, because
  /// there may be no related object.
  public var optional: Term<Root, Value.Unwrapped?> { Term<Root, Value.Unwrapped?>(scoped) }

  /// The value of the term, or a default value if the term is nil, as in `$0.director.name ?? "unknown"`.
  @_disfavoredOverload
  public static func ?? (term: Term, value: Value.Unwrapped) -> Term<Root, Value.Unwrapped> {
    Term<Root, Value.Unwrapped>(term.scoped.condition(.coalesced(term.scoped.expression, .value(value._operand))))
  }
}
