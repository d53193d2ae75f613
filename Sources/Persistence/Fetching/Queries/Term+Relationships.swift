/// Conditions on a to-many relationship.
extension Term where Value: RelatedCollection {
  /// A condition that is true if at least one object in the relationship matches, as in
  /// `$0.members.contains { $0.name == "Ann" }`.
  public func contains(where condition: (Row<Value.Member>) -> Query<Value.Member>) -> Query<Root> {
    members(where: condition) { .exists(in: $0, where: $1) }
  }

  /// A condition that is true if all objects in the relationship match. The condition is true for an empty
  /// relationship.
  public func allSatisfy(_ condition: (Row<Value.Member>) -> Query<Value.Member>) -> Query<Root> {
    members(where: condition) { .not(.exists(in: $0, where: .not($1))) }
  }

  /// The number of objects in the relationship that match, as in `$0.members.count { $0.isActive } > 2`.
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
  /// A condition that is true if the relationship refers to an object that matches, as in
  /// `$0.director.contains { $0.name == "Coen" && $0.isActive }`.
  ///
  /// For a single comparison with a value, `$0.director.name == "Coen"` has the same meaning.
  public func contains<Target: ManagedObject>(
    where condition: (Row<Target>) -> Query<Target>
  ) -> Query<Root> where Value == Target? {
    members(where: condition) { .exists(in: $0, where: $1) }
  }

  /// A condition that is true if the relationship refers to the object with this id, or to no object if the id is nil.
  public static func == <Target: ManagedObject>(
    term: Term, id: ObjectID<Target>?
  ) -> Query<Root> where Value == Target? { Query(term.scoped.isEqual(to: id._operand, ObjectID<Target>.self)) }

  /// A condition that is true if the relationship does not refer to the object with this id, or refers to any object if
  /// the id is nil.
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

/// The type of a to-many relationship in a condition. ``RelatedObjects`` conforms to this protocol, and your own types
/// do not need to.
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
  /// The same value with an optional type, as in `$0.director.name.optional`, which is nil if there is no director.
  ///
  /// To select or group by a property of a to-one relationship's object, use `optional` or provide a default value.
  public var optional: Term<Root, Value.Unwrapped?> { Term<Root, Value.Unwrapped?>(scoped) }

  /// The value, or a default value in place of nil, as in `$0.director.name ?? "unknown"`.
  @_disfavoredOverload
  public static func ?? (term: Term, value: Value.Unwrapped) -> Term<Root, Value.Unwrapped> {
    Term<Root, Value.Unwrapped>(term.scoped.condition(.coalesced(term.scoped.expression, .value(value._operand))))
  }
}
