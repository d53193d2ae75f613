public import Foundation

/// Values calculated from the members of a to-many relationship.
///
/// ```swift
/// let directors = try objects.fetch(
///   FetchDescriptor(Director.self, sort: [.descending { $0.movies.maximum { $0.rating } }]),
///   with: { ($0.movies.sum { $0.views }, $0.movies.average(of: { $0.rating }, where: { $0.seen })) })
/// ```
///
/// Nil values are ignored. ``Term/matches(_:)`` refuses sums of floating-point numbers, and means other than those of
/// decimals: their last digits depend on the order in which the store adds them up.
extension Term where Value: RelatedCollection {
  /// The sum of the term's integer values for the objects in the relationship, or 0 if there are no values. If the sum
  /// does not fit in 64 bits, the fetch throws ``PersistenceError/sumOverflow``.
  public func sum<Number: QueryValue>(
    of term: (Row<Value.Member>) -> Term<Value.Member, Number>,
    where condition: ((Row<Value.Member>) -> Query<Value.Member>)? = nil
  ) -> Term<Root, Int64> where Number.Unwrapped: FixedWidthInteger { aggregate(.sum, term, condition) }

  /// The sum of the term's floating-point values for the objects in the relationship, or 0 if there are no values. If
  /// the values include both infinity and negative infinity, the sum is 0.
  public func sum<Number: QueryValue>(
    of term: (Row<Value.Member>) -> Term<Value.Member, Number>,
    where condition: ((Row<Value.Member>) -> Query<Value.Member>)? = nil
  ) -> Term<Root, Double> where Number.Unwrapped: BinaryFloatingPoint { aggregate(.realSum, term, condition) }

  /// The exact sum of the term's decimal values for the objects in the relationship, or 0 if there are no values. If
  /// the sum needs more than 38 digits, the fetch throws ``PersistenceError/sumOverflow``.
  public func sum<Number: QueryValue>(
    of term: (Row<Value.Member>) -> Term<Value.Member, Number>,
    where condition: ((Row<Value.Member>) -> Query<Value.Member>)? = nil
  ) -> Term<Root, Decimal> where Number.Unwrapped == Decimal { aggregate(.decimalSum, term, condition) }

  /// The mean of the term's decimal values for the objects in the relationship, rounded to 38 digits, or nil if there
  /// are no values.
  public func average<Number: QueryValue>(
    of term: (Row<Value.Member>) -> Term<Value.Member, Number>,
    where condition: ((Row<Value.Member>) -> Query<Value.Member>)? = nil
  ) -> Term<Root, Decimal?> where Number.Unwrapped == Decimal { aggregate(.decimalAverage, term, condition) }

  /// The mean of the term's values for the objects in the relationship, or nil if there are no values.
  public func average<Number: QueryValue>(
    of term: (Row<Value.Member>) -> Term<Value.Member, Number>,
    where condition: ((Row<Value.Member>) -> Query<Value.Member>)? = nil
  ) -> Term<Root, Double?> where Number.Unwrapped: Numeric { aggregate(.average, term, condition) }

  /// The term's smallest value among the objects in the relationship, or nil if there are no values.
  public func minimum<Part: QueryValue>(
    of term: (Row<Value.Member>) -> Term<Value.Member, Part>,
    where condition: ((Row<Value.Member>) -> Query<Value.Member>)? = nil
  ) -> Term<Root, Part.Unwrapped?> where Part.Unwrapped: Comparable { aggregate(.minimum, term, condition) }

  /// The term's largest value among the objects in the relationship, or nil if there are no values.
  public func maximum<Part: QueryValue>(
    of term: (Row<Value.Member>) -> Term<Value.Member, Part>,
    where condition: ((Row<Value.Member>) -> Query<Value.Member>)? = nil
  ) -> Term<Root, Part.Unwrapped?> where Part.Unwrapped: Comparable { aggregate(.maximum, term, condition) }

  private func aggregate<Part: QueryValue, Result>(
    _ function: AggregateFunction, _ term: (Row<Value.Member>) -> Term<Value.Member, Part>,
    _ condition: ((Row<Value.Member>) -> Query<Value.Member>)?
  ) -> Term<Root, Result> {
    let value = ScopedExpression.nested { term(Row(_number: $0)).scoped }
    let test = condition.map { condition in
      ScopedExpression.condition(isNested: true) { condition(Row(_number: $0)).scoped }
    }
    let owner = scoped.inInnermostRow
    let expression =
      function.refusal(of: Part.Unwrapped.self).map { QueryExpression.unsupportedQuery($0) }
      ?? .aggregate(
        function, of: owner.expression, value.expression, where: test?.expression ?? .truth(true))
    let depth = max(owner.depth + 5, value.depth + 4, (test?.depth ?? 0) + 4)
    return Term<Root, Result>(ScopedExpression(expression, depth: depth, row: owner.row))
  }
}
