/// The rows of a group, as passed to the closures of ``ObjectSpace/groups(in:by:having:of:)``.
///
/// Its members are values calculated from all rows in the group. Nil values are ignored. A group can be used only in
/// the closure that receives it.
public struct GroupedRows<Object: ManagedObject> {
  let number: RowNumber

  /// The number of rows.
  public var count: Term<Object, Int> {
    Term<Object, Int>(ScopedExpression(.grouped(.count, .truth(true)), row: number))
  }

  /// The number of rows that match a condition.
  public func count(where condition: (Row<Object>) -> Query<Object>) -> Term<Object, Int> {
    let test = condition(Row(_number: number)).scoped.inInnermostRow
    // A function counts what is not nil.
    let value = QueryExpression.conditional(test.asCondition, then: .value(.integer(1)), otherwise: .value(.null))
    return Term<Object, Int>(ScopedExpression(.grouped(.count, value), depth: test.depth + 2, row: number))
  }

  /// The sum of the integers, or 0 if there are none. If the sum does not fit in 64 bits, the fetch throws
  /// ``PersistenceError/sumOverflow``.
  public func sum<Number: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Number>
  ) -> Term<Object, Int64> where Number.Unwrapped: FixedWidthInteger { aggregate(.sum, term) }

  /// The mean of the numbers, or nil if there are none.
  public func average<Number: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Number>
  ) -> Term<Object, Double?> where Number.Unwrapped: Numeric { aggregate(.average, term) }

  /// The smallest value, or nil if there is none.
  public func minimum<Part: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Part>
  ) -> Term<Object, Part.Unwrapped?> where Part.Unwrapped: Comparable { aggregate(.minimum, term) }

  /// The largest value, or nil if there is none.
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
  /// The sum of the floating-point numbers, or 0 if there are none. The sum of infinity and negative infinity is 0.
  public func sum<Number: QueryValue>(
    of term: (Row<Object>) -> Term<Object, Number>
  ) -> Term<Object, Double> where Number.Unwrapped: BinaryFloatingPoint { aggregate(.realSum, term) }
}

@available(*, unavailable, message: "a group can be used only in the closure that receives it")
extension GroupedRows: Sendable {}
