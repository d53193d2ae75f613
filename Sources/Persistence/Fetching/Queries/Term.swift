/// A value in a condition, such as a property of a ``Row``.
///
/// ```swift
/// let found = try objects.fetch(Movie.self, where: { movie in
///   movie.rating > 7 && movie.director.name == "Coen" && movie.familyMembers.contains { $0.name == "Ada" }
/// })
/// ```
///
/// Comparing a term results in a ``Query``, which is a term with a value of type `Bool`. An attribute of this type is
/// therefore also a condition by itself. The members of a to-one relationship are the properties of the related object.
/// They are nil if there is no related object, and its to-many relationships are then empty.
@dynamicMemberLookup
public struct Term<Root: ManagedObject, Value>: Sendable {
  let expression: QueryExpression
  /// The number of levels in the expression. A relationship counts as four, because its members need more of the stack.
  let depth: Int
  /// The row that is scope 0 of the expression, or none if that is the row of the closure in which the term is used.
  let row: RowNumber

  init(_ expression: QueryExpression, depth: Int = 1, row: RowNumber = .none) {
    self.expression = depth <= UnsupportedQueryError.maximumDepth ? expression : .unsupportedQuery(.tooDeep)
    self.depth = depth <= UnsupportedQueryError.maximumDepth ? depth : 1
    self.row = row
  }

  /// A property of the object that a to-one relationship refers to, or nil if it refers to none.
  public subscript<Target: ManagedObject, Part>(
    dynamicMember path: any KeyPath<Target, Part> & Sendable
  ) -> Term<Root, Part> where Value == Target? {
    Term<Root, Part>(.member(expression, path), depth: depth + 4, row: row)
  }
}

extension Term {
  /// A condition on this term alone.
  @inline(__always) func condition(_ condition: QueryExpression) -> Query<Root> {
    Query(condition, depth: depth + 1, row: row)
  }

  /// A condition on this term and another one.
  @inline(__always)
  func condition<OtherRoot: ManagedObject, OtherValue>(
    with other: Term<OtherRoot, OtherValue>, _ make: (QueryExpression, QueryExpression) -> QueryExpression
  ) -> Query<Root> {
    if row == other.row {
      return Query(make(expression, other.expression), depth: max(depth, other.depth) + 1, row: row)
    }
    let (left, right) = (inInnermostRow, other.inInnermostRow)
    return Query(make(left.expression, right.expression), depth: max(left.depth, right.depth) + 1, row: left.row)
  }
}
