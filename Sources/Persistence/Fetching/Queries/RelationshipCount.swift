/// The number of objects in a to-many relationship, for use in a query: `.count(\.familyMembers) > 2`.
public struct RelationshipCount<Root: ManagedObject>: Sendable {
  let expression: QueryExpression
  let depth: Int

  /// The number of objects in the relationship for which `query` is true.
  public static func count<Member: ManagedObject>(
    _ path: any KeyPath<Root, RelatedObjects<Member>> & Sendable, _ query: Query<Member> = .all
  ) -> RelationshipCount {
    RelationshipCount(expression: .count(of: .property(path, of: 0), where: query.expression), depth: query.depth + 4)
  }

  /// A condition that is true if the count equals a number.
  public static func == (count: RelationshipCount, number: Int) -> Query<Root> {
    Query(.equal(count.expression, .value(number.stored)), depth: count.depth + 1)
  }

  /// A condition that is true if the count differs from a number.
  public static func != (count: RelationshipCount, number: Int) -> Query<Root> { !(count == number) }

  /// A condition that is true if the count is less than a number.
  public static func < (count: RelationshipCount, number: Int) -> Query<Root> { count.ordered(.less, number) }

  /// A condition that is true if the count is at most a number.
  public static func <= (count: RelationshipCount, number: Int) -> Query<Root> { count.ordered(.lessOrEqual, number) }

  /// A condition that is true if the count is greater than a number.
  public static func > (count: RelationshipCount, number: Int) -> Query<Root> { count.ordered(.greater, number) }

  /// A condition that is true if the count is at least a number.
  public static func >= (count: RelationshipCount, number: Int) -> Query<Root> {
    count.ordered(.greaterOrEqual, number)
  }

  private func ordered(_ order: QueryExpression.Order, _ number: Int) -> Query<Root> {
    Query(.ordered(expression, order, .value(number.stored)), depth: depth + 1)
  }
}
