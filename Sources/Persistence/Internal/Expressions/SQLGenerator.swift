/// Translates an expression into SQL with numbered parameters.
///
/// Every node is visited once and the parts of a node in the order in which its case writes them, since that is how
/// ``QueryShape`` lines up the arguments.
struct SQLGenerator {
  private enum Scope {
    case row(alias: String, Entity)
    case value(SQLFragment)
  }

  private var scopes: [Scope]
  private var aliases = 1
  private(set) var parameters = 0

  init(_ entity: Entity) { scopes = [.row(alias: "t0", entity)] }

  mutating func parameter() -> String {
    parameters += 1
    return "?\(parameters)"
  }

  /// SQL that is true, or else false or NULL.
  mutating func condition(_ expression: Expression) throws(QueryRefusal) -> SQLFragment {
    // What follows `?? false` of an Optional makes nil false, which a condition that fails on nil does by itself; that
    // way an index still serves.
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
    guard case .value = fragment.kind else { throw QueryRefusal("an object", "stands where a condition is expected") }
    return .condition("\(fragment.sql) = 1", isNullable: fragment.isNullable, failing: fragment.failing)
  }

  /// SQL of a value; a condition is 1 or 0.
  mutating func value(_ expression: Expression) throws(QueryRefusal) -> SQLFragment {
    let fragment = try fragment(expression)
    if case .members(let relationship) = fragment.kind {
      throw QueryRefusal(relationship.path, "a to-many relationship stands where a value is expected")
    }
    guard fragment.isCondition else { return fragment }
    return SQLFragment(fragment.total, .value, isNullable: false)
  }

  private mutating func fragment(_ expression: Expression) throws(QueryRefusal) -> SQLFragment {
    switch expression {
    case .refused(let refusal): throw refusal
    case .value(let value):
      if value.isNull { return SQLFragment("NULL", .value, isNullable: true) }
      if value.isNeverStored {
        throw QueryRefusal("a value", "it cannot be stored, and can only be compared for equality")
      }
      return SQLFragment(parameter(), .value, isNullable: false)
    case .truth(let truth): return .condition(truth ? "1" : "0", isNullable: false)
    case .scope(let scope): return try object(at: scope)
    case .property(let path, let scope): return try property(path, at: scope)
    case .member(let object, let path): return try property(path, of: value(object))
    case .first(let members, let test): return try first(members, test)
    case .equal(let left, let right): return try equal(left, right, negated: false)
    case .not(.equal(let left, let right)) where !left.isPresence: return try equal(left, right, negated: true)
    case .ordered(let left, let order, let right): return try ordered(left, order, right)
    case .isIn(let element, let values): return try isIn(element, values)
    case .text(let text, let match, let other): return try matching(text, match, other)
    case .and(let left, let right):
      let (left, right) = (try condition(left), try condition(right))
      return .condition(
        "(\(left.sql) AND \(right.sql))", isNullable: left.isNullable || right.isNullable,
        failing: left.failing.union(right.failing))
    case .or(let left, let right):
      let (left, right) = (try condition(left), try condition(right))
      return .condition(
        "(\(left.sql) OR \(right.sql))", isNullable: left.isNullable || right.isNullable,
        failing: left.failing.intersection(right.failing))
    case .not(let inner):
      let inner = try condition(inner)
      return .condition(inner.isNullable ? "(\(inner.sql)) IS NOT TRUE" : "NOT (\(inner.sql))", isNullable: false)
    case .arithmetic(let left, let operation, let right):
      let (left, right) = (try value(left), try value(right))
      // Even a sum can be NULL: infinity less infinity.
      return SQLFragment(
        "(\(left.sql) \(operation.rawValue) \(right.sql))", .value, isNullable: true,
        failing: left.failing.union(right.failing))
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
    }
  }
}

// Comparisons
extension SQLGenerator {
  private mutating func equal(
    _ left: Expression, _ right: Expression, negated: Bool
  ) throws(QueryRefusal) -> SQLFragment {
    if left.isNeverStored || right.isNeverStored {
      // The other side is translated for its refusals and its parameters.
      _ = try left.isNeverStored ? SQLFragment.never : value(left)
      _ = try right.isNeverStored ? SQLFragment.never : value(right)
      return .condition(negated ? "1" : "0", isNullable: false)
    }
    let (left, right) = (try value(left), try value(right))
    if left.isNullable && right.isNullable || negated && (left.isNullable || right.isNullable) {
      // `IS` uses indexes as `=` does. Unlike `=` it is not NULL for NULL.
      return .condition("\(left.sql) \(negated ? "IS NOT" : "IS") \(right.sql)", isNullable: false)
    }
    return .condition(
      "\(left.sql) \(negated ? "<>" : "=") \(right.sql)", isNullable: left.isNullable || right.isNullable,
      failing: left.failing.union(right.failing))
  }

  private mutating func ordered(
    _ left: Expression, _ order: Expression.Order, _ right: Expression
  ) throws(QueryRefusal) -> SQLFragment {
    if left.isNaN || right.isNaN {
      _ = try left.isNaN ? SQLFragment.never : value(left)
      _ = try right.isNaN ? SQLFragment.never : value(right)
      return .never
    }
    let (left, right) = (try value(left), try value(right))
    return .condition(
      "\(left.sql) \(order.rawValue) \(right.sql)", isNullable: left.isNullable || right.isNullable,
      failing: left.failing.union(right.failing))
  }

  private mutating func isIn(_ element: Expression, _ values: [StoredValue]) throws(QueryRefusal) -> SQLFragment {
    let element = try value(element)
    let set: String
    switch ValueList(values) {
    case .integers: set = "(SELECT value FROM json_each(\(parameter())))"
    case .others(let others):
      guard others.count <= ValueList.maximumOthers else {
        throw QueryRefusal("isIn", "at most \(ValueList.maximumOthers) values that are not whole numbers are possible")
      }
      var marks: [String] = []
      for _ in others { marks.append(parameter()) }
      set = "(\(marks.joined(separator: ",")))"
    }
    let sql = "\(element.sql) IN \(set)"
    if values.contains(where: \.isNull), element.isNullable {
      return .condition("(\(sql) OR \(element.sql) IS NULL)", isNullable: true)
    }
    return .condition(sql, isNullable: element.isNullable, failing: element.failing)
  }

  private mutating func matching(
    _ text: Expression, _ match: TextMatch, _ other: Expression
  ) throws(QueryRefusal) -> SQLFragment {
    let text = try value(text)
    if case .begins = match, case .value(.text) = other {
      // A range, so that an index serves.
      let sql = "(\(text.sql) >= \(parameter()) AND \(text.sql) < \(parameter()))"
      return .condition(sql, isNullable: text.isNullable, failing: text.failing)
    }
    let other = try value(other)
    let isNullable = text.isNullable || other.isNullable
    let failing = text.failing.union(other.failing)
    if case .contains = match {
      return .condition("instr(\(text.sql), \(other.sql)) > 0", isNullable: isNullable, failing: failing)
    }
    return .condition(
      "\(TextFunction.name(of: match))(\(text.sql), \(other.sql))", isNullable: isNullable, failing: failing)
  }
}

// Optionals
extension SQLGenerator {
  /// `value.map { then } ?? false`, or `value.map { !then } ?? false`.
  private mutating func present(
    _ value: Expression, _ then: Expression, negated: Bool
  ) throws(QueryRefusal) -> SQLFragment {
    let value = try self.value(value)
    let then = try within(value) { (generator) throws(QueryRefusal) in
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

  /// `value.map { then } ?? fallback`, which for a nil `then` is not `coalesce`.
  private mutating func either(
    _ value: Expression, _ then: Expression, _ fallback: Expression
  ) throws(QueryRefusal) -> SQLFragment {
    let value = try self.value(value)
    let then = try within(value) { (generator) throws(QueryRefusal) in try generator.condition(then) }
    let fallback = try condition(fallback)
    let sql = "(CASE WHEN \(value.sql) IS NULL THEN \(fallback.sql) ELSE \(then.sql) END)"
    return .condition(sql, isNullable: then.isNullable || fallback.isNullable)
  }

  /// An Optional value.
  private mutating func present(_ value: Expression, _ then: Expression) throws(QueryRefusal) -> SQLFragment {
    let value = try self.value(value)
    let then = try within(value) { (generator) throws(QueryRefusal) in try generator.value(then) }
    let level = scopes.count
    if then.failing.contains(level) {
      let failing = value.failing.union(then.failing)
      return SQLFragment(then.sql, then.kind, isNullable: value.isNullable || then.isNullable, failing: failing)
    }
    let sql = "(CASE WHEN \(value.sql) IS NULL THEN NULL ELSE \(then.sql) END)"
    return SQLFragment(sql, then.kind, isNullable: true, failing: value.failing)
  }

  private mutating func coalesced(_ first: Expression, _ second: Expression) throws(QueryRefusal) -> SQLFragment {
    let (first, second) = (try value(first), try value(second))
    if !first.isNullable { return first }
    return SQLFragment("coalesce(\(first.sql), \(second.sql))", first.kind, isNullable: second.isNullable)
  }

  /// Inside, the value is scope 0, and not nil.
  private mutating func within<Result>(
    _ value: SQLFragment, _ body: (inout SQLGenerator) throws(QueryRefusal) -> Result
  ) throws(QueryRefusal) -> Result {
    var inner = value
    inner.isNullable = false
    inner.failing.insert(scopes.count)
    scopes.append(.value(inner))
    let result = try body(&self)
    scopes.removeLast()
    return result
  }
}

// Objects
extension SQLGenerator {
  private func scope(_ scope: Int) throws(QueryRefusal) -> Scope {
    guard scopes.indices.contains(scopes.count - 1 - scope) else {
      throw QueryRefusal("a variable", "is not one of the query's")
    }
    return scopes[scopes.count - 1 - scope]
  }

  private func object(at scope: Int) throws(QueryRefusal) -> SQLFragment {
    switch try self.scope(scope) {
    case .row(let alias, let entity):
      SQLFragment("\(alias).\(SQL.name(SQL.id))", .object(entity), isNullable: false)
    case .value(let fragment): fragment
    }
  }

  private mutating func property(_ path: AnyKeyPath, at scope: Int) throws(QueryRefusal) -> SQLFragment {
    guard case .row(let alias, let entity) = try self.scope(scope) else {
      return try property(path, of: object(at: scope))
    }
    return try property(path, in: entity, alias, nullable: false)
  }

  private func property(
    _ path: AnyKeyPath, in entity: Entity, _ alias: String, nullable: Bool
  ) throws(QueryRefusal) -> SQLFragment {
    guard let property = entity.property(at: path) else { throw .unknown(path, in: entity) }
    switch property {
    case .id: return SQLFragment("\(alias).\(SQL.name(SQL.id))", .value, isNullable: nullable)
    case .attribute(let slot):
      let column = entity.columns[slot]
      return SQLFragment("\(alias).\(column.quoted)", .value, isNullable: nullable || column.isOptional)
    case .toOne(let relationship):
      switch relationship.storage {
      case .column(let slot):
        let sql = "\(alias).\(entity.columns[slot].quoted)"
        return SQLFragment(sql, .object(relationship.target), isNullable: true)
      default: throw QueryRefusal(relationship.path, "is kept in a way that queries do not know")
      }
    case .toMany(let relationship):
      return SQLFragment("\(alias).\(SQL.name(SQL.id))", .members(relationship), isNullable: nullable)
    }
  }

  /// Of the object whose id the SQL is.
  private mutating func property(_ path: AnyKeyPath, of object: SQLFragment) throws(QueryRefusal) -> SQLFragment {
    guard case .object(let entity) = object.kind else {
      throw QueryRefusal(path.queryDescription, "is not a property of an object of the schema")
    }
    switch entity.property(at: path) {
    case nil: throw .unknown(path, in: entity)
    case .id: return SQLFragment(object.sql, .value, isNullable: object.isNullable, failing: object.failing)
    case .toMany(let relationship):
      return SQLFragment(object.sql, .members(relationship), isNullable: object.isNullable, failing: object.failing)
    default:
      let alias = nextAlias()
      var result = try property(path, in: entity, alias, nullable: object.isNullable)
      result.sql =
        "(SELECT \(result.sql) FROM \(entity.table) AS \(alias) WHERE \(alias).\(SQL.name(SQL.id)) = \(object.sql))"
      result.failing = object.failing
      return result
    }
  }

  private mutating func first(_ members: Expression, _ test: Expression) throws(QueryRefusal) -> SQLFragment {
    let rows = try rows(members, test)
    let id = "\(rows.alias).\(SQL.name(SQL.id))"
    return SQLFragment("(SELECT min(\(id)) \(rows.sql))", .object(rows.entity), isNullable: true)
  }

  private mutating func nextAlias() -> String {
    defer { aliases += 1 }
    return "t\(aliases)"
  }

  /// `FROM … WHERE …` for the members of a relationship for which a condition is true.
  private mutating func rows(
    _ members: Expression, _ test: Expression
  ) throws(QueryRefusal) -> (sql: String, alias: String, entity: Entity) {
    let owner = try fragment(members)
    let alias = nextAlias()
    let (from, link, target) = try link(to: owner, alias)
    scopes.append(.row(alias: alias, target))
    defer { scopes.removeLast() }
    if case .truth(true) = test { return ("FROM \(from) WHERE \(link)", alias, target) }
    return ("FROM \(from) WHERE \(link) AND \(try condition(test).sql)", alias, target)
  }
}

extension SQLGenerator {
  /// The tables of a relationship's members, and what ties them to the owner.
  private mutating func link(
    to owner: SQLFragment, _ alias: String
  ) throws(QueryRefusal) -> (from: String, link: String, target: Entity) {
    let id = "\(alias).\(SQL.name(SQL.id))"
    if case .object(let entity) = owner.kind { return ("\(entity.table) AS \(alias)", "\(id) = \(owner.sql)", entity) }
    guard case .members(let relationship) = owner.kind else {
      throw QueryRefusal("a collection", "is not a relationship")
    }
    let target = relationship.target
    let table = "\(target.table) AS \(alias)"
    switch relationship.storage {
    case .inverseColumn(let slot): return (table, "\(alias).\(target.columns[slot].quoted) = \(owner.sql)", target)
    case .join(let join, let own, let other):
      let pairs = nextAlias()
      let from = "\(SQL.name(join.name)) AS \(pairs) JOIN \(table) ON \(id) = \(pairs).\(SQL.name(other))"
      return (from, "\(pairs).\(SQL.name(own)) = \(owner.sql)", target)
    case .column: throw QueryRefusal(relationship.path, "is not a to-many relationship")
    }
  }
}

extension Expression {
  fileprivate var isNeverStored: Bool { if case .value(let value) = self { value.isNeverStored } else { false } }

  fileprivate var isNaN: Bool { if case .value(.real(let value)) = self { value.isNaN } else { false } }

  fileprivate var isPresence: Bool { if case .present = self { true } else { false } }
}

extension QueryRefusal {
  static func unknown(_ path: AnyKeyPath, in entity: Entity) -> QueryRefusal {
    QueryRefusal(path.queryDescription, "is no stored property of \(entity.name)")
  }
}

extension AnyKeyPath {
  /// Root and property as far as they can be known: the name of a computed property cannot.
  var queryDescription: String {
    let text = "\(self)"
    guard text.contains("<computed") else { return text }
    return "\\\(type(of: self).rootType).<computed \(type(of: self).valueType)>"
  }
}
