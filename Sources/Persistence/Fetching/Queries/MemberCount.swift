/// How many objects a to-many relationship leads to, for use in a query: `.count(\.familyMembers) > 2`.
public struct MemberCount<Root: ManagedObject>: Sendable {
  let expression: Expression
  let depth: Int

  /// Of the objects that the relationship leads to, the number of those for which `query` is true.
  public static func count<Member: ManagedObject>(
    _ path: any KeyPath<Root, Related<Member>> & Sendable, _ query: Query<Member> = .all
  ) -> MemberCount {
    MemberCount(expression: .count(of: .property(path, of: 0), where: query.expression), depth: query.depth + 4)
  }

  /// Whether there are so many.
  public static func == (count: MemberCount, number: Int) -> Query<Root> {
    Query(.equal(count.expression, .value(number.stored)), depth: count.depth + 1)
  }

  /// Whether there are more or fewer.
  public static func != (count: MemberCount, number: Int) -> Query<Root> { !(count == number) }

  /// Whether there are fewer.
  public static func < (count: MemberCount, number: Int) -> Query<Root> { count.ordered(.less, number) }

  /// Whether there are so many or fewer.
  public static func <= (count: MemberCount, number: Int) -> Query<Root> { count.ordered(.lessOrEqual, number) }

  /// Whether there are more.
  public static func > (count: MemberCount, number: Int) -> Query<Root> { count.ordered(.greater, number) }

  /// Whether there are so many or more.
  public static func >= (count: MemberCount, number: Int) -> Query<Root> { count.ordered(.greaterOrEqual, number) }

  private func ordered(_ order: Expression.Order, _ number: Int) -> Query<Root> {
    Query(.ordered(expression, order, .value(number.stored)), depth: depth + 1)
  }
}
