extension SQLGenerator {
  /// `value.map { then } ?? false`, or `value.map { !then } ?? false` if negated.
  mutating func present(
    _ value: QueryExpression, _ then: QueryExpression, negated: Bool
  ) throws(UnsupportedQueryError) -> SQLFragment {
    let value = try self.value(value)
    let then = try within(value) { (generator) throws(UnsupportedQueryError) in
      try generator.condition(negated ? .not(then) : then)
    }
    let level = scopes.count
    if then.failing.contains(level) {
      let failing = value.failing.union(then.failing)
      return .condition(then.sql, isNullable: value.isNullable || then.isNullable, failing: failing)
    }
    return .condition(
      "(\(value.sql) IS NOT NULL AND \(then.sql))", isNullable: then.isNullable,
      failing: value.failing.union(then.failing))
  }

  /// `value.map { then } ?? fallback`. This is not `coalesce`, because `then` may be nil.
  mutating func either(
    _ value: QueryExpression, _ then: QueryExpression, _ fallback: QueryExpression
  ) throws(UnsupportedQueryError) -> SQLFragment {
    let value = try self.value(value)
    let then = try within(value) { (generator) throws(UnsupportedQueryError) in try generator.condition(then) }
    let fallback = try condition(fallback)
    let sql = "(CASE WHEN \(value.sql) IS NULL THEN \(fallback.sql) ELSE \(then.sql) END)"
    return .condition(sql, isNullable: then.isNullable || fallback.isNullable)
  }

  /// An Optional value.
  mutating func present(_ value: QueryExpression, _ then: QueryExpression) throws(UnsupportedQueryError) -> SQLFragment
  {
    let value = try self.value(value)
    let then = try within(value) { (generator) throws(UnsupportedQueryError) in try generator.value(then) }
    let level = scopes.count
    if then.failing.contains(level) {
      let failing = value.failing.union(then.failing)
      return SQLFragment(then.sql, then.kind, isNullable: value.isNullable || then.isNullable, failing: failing)
    }
    let sql = "(CASE WHEN \(value.sql) IS NULL THEN NULL ELSE \(then.sql) END)"
    return SQLFragment(sql, then.kind, isNullable: true, failing: value.failing)
  }

  mutating func coalesced(_ first: QueryExpression, _ second: QueryExpression) throws(UnsupportedQueryError)
    -> SQLFragment
  {
    let (first, second) = (try value(first), try value(second))
    if !first.isNullable { return first }
    return SQLFragment("coalesce(\(first.sql), \(second.sql))", first.kind, isNullable: second.isNullable)
  }

  /// Within the body, the value is scope 0 and not nil.
  mutating func within<Result>(
    _ value: SQLFragment, _ body: (inout SQLGenerator) throws(UnsupportedQueryError) -> Result
  ) throws(UnsupportedQueryError) -> Result {
    var inner = value
    inner.isNullable = false
    inner.failing.insert(scopes.count)
    scopes.append(.value(inner))
    let result = try body(&self)
    scopes.removeLast()
    return result
  }
}
