public import Foundation

/// The rows of one group. ``ObjectSpace/groups(in:by:having:of:)`` passes the group to its `having` and `of` closures.
///
/// The properties and methods of a group return values that are calculated from all rows in the group. Nil values are
/// ignored. A group can be used only in the closure that receives it.
public struct GroupedRows<Object: ManagedObject> {
  let number: RowNumber

  /// The number of rows in the group.
  public var count: Term<Object, Int> {
    Term<Object, Int>(ScopedExpression(.grouped(.count, .truth(true)), row: number))
  }

  /// The number of rows in the group that match a condition.
  public func count(where condition: (Row<Object>) -> Query<Object>) -> Term<Object, Int> {
    let test = condition(Row(_number: number)).scoped.inInnermostRow
    // A function counts what is not nil.
    let value = QueryExpression.conditional(test.asCondition, then: .value(.integer(1)), otherwise: .value(.null))
    return Term<Object, Int>(ScopedExpression(.grouped(.count, value), depth: test.depth + 2, row: number))
  }

  /// The sum of the term's integer values in the group, or 0 if there are no values. If the sum does not fit in 64
  /// bits, the fetch throws ``PersistenceError/sumOverflow``.
  public func sum<Number: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Number>
  ) -> Term<Object, Int64> where Number.Unwrapped: FixedWidthInteger { aggregate(.sum, term) }

  /// The mean of the term's values in the group, or nil if there are no values.
  public func average<Number: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Number>
  ) -> Term<Object, Double?> where Number.Unwrapped: Numeric { aggregate(.average, term) }

  /// The smallest value of the term in the group, or nil if there are no values.
  public func minimum<Part: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Part>
  ) -> Term<Object, Part.Unwrapped?> where Part.Unwrapped: Comparable { aggregate(.minimum, term) }

  /// The largest value of the term in the group, or nil if there are no values.
  public func maximum<Part: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Part>
  ) -> Term<Object, Part.Unwrapped?> where Part.Unwrapped: Comparable { aggregate(.maximum, term) }

  fileprivate func aggregate<Part: QueryValue, Result>(
    _ function: AggregateFunction, _ term: (Row<Object>) -> Term<Object, Part>
  ) -> Term<Object, Result> {
    let value = term(Row(_number: number)).scoped.inInnermostRow
    if let refusal = function.refusal(of: Part.Unwrapped.self) {
      return Term<Object, Result>(ScopedExpression(.unsupportedQuery(refusal), row: number))
    }
    return Term<Object, Result>(
      ScopedExpression(.grouped(function, value.expression), depth: value.depth + 1, row: number))
  }
}

extension GroupedRows {
  /// The sum of the term's floating-point values in the group, or 0 if there are no values. If the values include both
  /// infinity and negative infinity, the sum is 0.
  public func sum<Number: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Number>
  ) -> Term<Object, Double> where Number.Unwrapped: BinaryFloatingPoint { aggregate(.realSum, term) }
}

extension GroupedRows {
  /// The exact sum of the term's decimal values in the group, or 0 if there are no values. If the sum needs more than
  /// 38 digits, the fetch throws ``PersistenceError/sumOverflow``.
  public func sum<Number: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Number>
  ) -> Term<Object, Decimal> where Number.Unwrapped == Decimal { aggregate(.decimalSum, term) }

  /// The mean of the term's decimal values in the group, rounded to 38 digits, or nil if there are no values.
  public func average<Number: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Number>
  ) -> Term<Object, Decimal?> where Number.Unwrapped == Decimal { aggregate(.decimalAverage, term) }
}

@available(*, unavailable, message: "a group can be used only in the closure that receives it")
extension GroupedRows: Sendable {}
