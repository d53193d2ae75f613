/// Translates an expression into SQL with numbered parameters, and collects their values.
///
/// Every node is visited once, and its parts in the order of their appearance in the SQL's numbers. ``QueryShape``
/// collects the same values without the SQL, for requests whose SQL is already known: ``FetchPlans`` compares both
/// lists whenever a plan is made.
struct SQLGenerator {
  enum Scope {
    case row(alias: String, Entity)
    case value(SQLFragment)
  }

  var scopes: [Scope]
  var aliases = 1
  /// The values so far. The SQL depends only on which of those of searches are equal, see ``QueryShape``.
  var arguments: ContiguousArray<StoredValue> = []
  /// Whether the SQL needs a full-text index.
  var hasSearch = false
  /// nil in conditions.
  var joins: Joins?
  /// Whether values are written as literals, and not as parameters.
  let writesLiterals: Bool
  /// The tables whose pending rows the SQL includes.
  let pending: PendingTables

  /// - Parameter alias: Empty for columns without the name of a table.
  init(
    _ entity: Entity, alias: String = "t0", writingLiterals: Bool = false,
    including pending: PendingTables = PendingTables()
  ) {
    scopes = [.row(alias: alias, entity)]
    self.pending = pending
    writesLiterals = writingLiterals
  }

  /// The SQL for a value: a new parameter, or a literal.
  mutating func parameter(_ value: StoredValue) throws(UnsupportedQueryError) -> String {
    arguments.append(value)
    guard writesLiterals else { return "?\(arguments.count)" }
    guard let literal = value.literal else {
      throw UnsupportedQueryError("a value", "a text with a NUL or a value that cannot be stored has no literal")
    }
    return literal
  }

  /// The rows of a table that fulfill a condition, for a FROM clause, and the condition for the WHERE clause. If there
  /// are pending rows, the FROM clause contains the condition.
  static func rows(
    of table: String, _ pending: PendingTable?, as alias: String, where condition: String
  ) -> (from: String, condition: String) {
    guard let pending else { return ("\(table) AS \(alias)", condition) }
    return (pending.source(as: alias, where: condition), "1")
  }

  /// A column of a row.
  static func column(_ alias: String, _ name: String) -> String { alias.isEmpty ? name : "\(alias).\(name)" }

  /// SQL that is true, false or NULL.
  mutating func condition(_ expression: QueryExpression) throws(UnsupportedQueryError) -> SQLFragment {
    // `?? false` after an Optional turns nil into false. A condition that fails on nil does this anyway, and can still
    // use an index.
    if case .coalesced(.present(let value, let then), .truth(false)) = expression, then.isCondition {
      return try present(value, then, negated: false)
    }
    if case .coalesced(.present(let value, let then), let fallback) = expression, then.isCondition {
      return try either(value, then, fallback)
    }
    if case .equal(.present(let value, let then), .truth(let truth)) = expression, then.isCondition {
      return try present(value, then, negated: !truth)
    }
    let fragment = try fragment(expression)
    if fragment.isCondition { return fragment }
    guard case .value = fragment.kind else {
      throw UnsupportedQueryError("an object", "was used in place of a condition")
    }
    return .condition("\(fragment.sql) = 1", isNullable: fragment.isNullable, failing: fragment.failing)
  }

  /// The SQL of a value. A condition is 1 or 0.
  mutating func value(_ expression: QueryExpression) throws(UnsupportedQueryError) -> SQLFragment {
    let fragment = try fragment(expression)
    if case .members(let relationship) = fragment.kind {
      throw UnsupportedQueryError(relationship.path, "a to-many relationship was used in place of a value")
    }
    guard fragment.isCondition else { return fragment }
    return SQLFragment(fragment.total, .value, isNullable: false)
  }

  mutating func fragment(_ expression: QueryExpression) throws(UnsupportedQueryError) -> SQLFragment {
    switch expression {
    case .unsupportedQuery(let refusal): throw refusal
    case .value(let value):
      if value.isNull { return SQLFragment("NULL", .value, isNullable: true) }
      if value.isNeverStored {
        throw UnsupportedQueryError("a value", "it cannot be stored, and can be compared only for equality")
      }
      return SQLFragment(try parameter(value), .value, isNullable: false)
    case .truth(let truth): return .condition(truth ? "1" : "0", isNullable: false)
    case .scope(let scope): return try object(at: scope)
    case .property(let path, let scope): return try property(path, at: scope)
    case .member(let object, let path): return try property(path, of: value(object))
    case .field(let value, let field): return try self.field(value, field)
    case .first(let members, let test): return try first(members, test)
    case .equal(let left, let right): return try equal(left, right, negated: false)
    case .not(.equal(let left, .truth(let truth))) where isBool(left):
      // An index can find equal values.
      return try equal(left, .truth(!truth), negated: false)
    case .not(.equal(let left, let right)) where !left.isPresence: return try equal(left, right, negated: true)
    case .ordered(let left, let order, let right): return try ordered(left, order, right)
    case .isIn(let element, let values): return try isIn(element, values)
    case .text(let text, let match, let other): return try matching(text, match, other)
    case .and: return try chain(expression, "AND") { $0.union($1) }
    case .or: return try chain(expression, "OR") { $0.intersection($1) }
    case .not(let inner):
      let inner = try condition(inner)
      return .condition(inner.isNullable ? "(\(inner.sql)) IS NOT TRUE" : "NOT (\(inner.sql))", isNullable: false)
    case .arithmetic(let left, let operation, let right):
      let (left, right) = (try value(left), try value(right))
      // Even a sum can be NULL: infinity minus infinity.
      return SQLFragment(
        "(\(left.sql) \(operation.rawValue) \(right.sql))", .value, isNullable: true,
        failing: left.failing.union(right.failing))
    case .folded(let text):
      let folded = try foldedColumn(of: text)
      let text = try value(text)
      return SQLFragment(
        folded ?? "\(TextFunction.fold)(\(text.sql))", .value, isNullable: text.isNullable, failing: text.failing)
    case .length(let text):
      let text = try value(text)
      return SQLFragment(
        "\(TextFunction.length)(\(text.sql))", .value, isNullable: text.isNullable, failing: text.failing)
    case .conditional(let test, let then, let otherwise):
      let isCondition = expression.isCondition
      let (test, then, otherwise) = (try condition(test), try value(then), try value(otherwise))
      let sql = "CASE WHEN \(test.sql) THEN \(then.sql) ELSE \(otherwise.sql) END"
      return SQLFragment(
        "(\(sql))", isCondition ? .condition : then.kind, isNullable: then.isNullable || otherwise.isNullable)
    case .coalesced(let first, let second): return try coalesced(first, second)
    case .present(let value, let then): return try present(value, then)
    case .exists(let members, let test):
      let rows = try rows(members, test)
      return .condition("EXISTS (SELECT 1 \(rows.sql))", isNullable: false)
    case .count(let members, let test):
      let rows = try rows(members, test)
      return SQLFragment("(SELECT count(*) \(rows.sql))", .value, isNullable: false)
    case .aggregate(let function, let members, let value, let test):
      return try aggregate(function, of: members, value, where: test)
    case .search(let object, let path, let text): return try search(object, path, text)
    case .literal(let condition, _): return try literal(condition)
    case .rank(let object, let text, let weights): return try rank(object, text, weights)
    case .grouped(let function, let value):
      if case .truth = value { return SQLFragment("count(*)", .value, isNullable: false) }
      return SQLFragment(function.sql(try self.value(value).sql), .value, isNullable: function.isNullable)
    }
  }
}

extension QueryExpression {
  var isNeverStored: Bool { if case .value(let value) = self { value.isNeverStored } else { false } }

  var isNaN: Bool { if case .value(.real(let value)) = self { value.isNaN } else { false } }

  var isPresence: Bool { if case .present = self { true } else { false } }
}
