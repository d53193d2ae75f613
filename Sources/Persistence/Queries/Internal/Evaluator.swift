/// Evaluates an expression for objects in memory, or for the values of a row, with the same meaning as the SQL of
/// ``SQLGenerator``.
struct Evaluator {
  private var scopes: [QueryAnswer]

  init(_ row: any QueryRow) { scopes = [.row(row)] }

  mutating func isTrue(_ expression: QueryExpression) throws(UnsupportedQueryError) -> Bool {
    if case .integer(1) = try value(expression) { true } else { false }
  }

  mutating func value(_ expression: QueryExpression) throws(UnsupportedQueryError) -> StoredValue {
    switch try answer(expression) {
    case .value(let value): return value
    case .row(let row): return .integer(row.rowID)
    case .members: throw UnsupportedQueryError("a collection", "a to-many relationship was used in place of a value")
    }
  }

  private mutating func answer(_ expression: QueryExpression) throws(UnsupportedQueryError) -> QueryAnswer {
    switch expression {
    case .unsupportedQuery(let refusal): throw refusal
    case .value(let value): return .value(value)
    case .truth(let truth): return .truth(truth)
    case .scope(let scope): return try answer(at: scope)
    case .property(let path, let scope): return try property(path, of: answer(at: scope))
    case .member(let object, let path): return try property(path, of: answer(object))
    case .field(let value, let field):
      guard case .text(let json) = try self.value(value) else { return .value(.null) }
      return .value(JSONMember.value(field.name, in: json, field.form))
    case .first(let members, let test):
      for member in try self.members(members) where try holds(test, for: member) { return .row(member) }
      return .value(.null)
    case .equal(let left, let right): return .truth(try value(left).isSame(as: value(right)))
    case .ordered(let left, let order, let right):
      return .truth(order.holds(try value(left), try value(right)))
    case .isIn(let element, let values):
      let element = try value(element)
      return .truth(values.contains { $0.isSame(as: element) })
    case .text(let text, let match, let other):
      let (text, other) = (try value(text), try value(other))
      guard case .text(let text) = text, case .text(let other) = other else { return .truth(false) }
      return .truth(match.matches(text, other))
    case .and: return .truth(try areAllTrue(expression))
    case .or: return .truth(try isAnyTrue(expression))
    case .not(let inner): return .truth(try !isTrue(inner))
    case .arithmetic(let left, let operation, let right):
      return .value(operation(try value(left), try value(right)))
    case .folded(let text):
      guard case .text(var text) = try value(text) else { return .value(.null) }
      return .value(.text(text.withUTF8 { String(decoding: TextFolding.fold($0), as: UTF8.self) }))
    case .length(let text):
      guard case .text(let text) = try value(text) else { return .value(.null) }
      return .value(.integer(Int64(text.count)))
    case .conditional(let test, let then, let otherwise): return try answer(isTrue(test) ? then : otherwise)
    case .coalesced(let first, let second):
      let first = try answer(first)
      return first.isNil ? try answer(second) : first
    case .present(let value, let then):
      let value = try answer(value)
      return value.isNil
        ? .value(.null) : try within(value) { (inner) throws(UnsupportedQueryError) in try inner.answer(then) }
    case .exists(let members, let test):
      for member in try self.members(members) where try holds(test, for: member) { return .truth(true) }
      return .truth(false)
    case .count(let members, let test):
      var count: Int64 = 0
      for member in try self.members(members) where try holds(test, for: member) { count += 1 }
      return .value(.integer(count))
    case .aggregate(let function, let members, let value, let test):
      var values: [StoredValue] = []
      for member in try self.members(members) where try holds(test, for: member) {
        values.append(
          try within(.row(member)) { (inner) throws(UnsupportedQueryError) in try inner.value(value) })
      }
      return .value(try function(values))
    case .grouped(let function, _):
      throw UnsupportedQueryError(function.name, "a value of a group is not a value of one object")
    case .literal(let condition, _): return try answer(condition)
    case .search, .rank:
      throw UnsupportedQueryError("a search", "only the store evaluates it: use the condition in a fetch")
    }
  }

  // Left to right, and only as far as needed: later operands may refer to relationships that are not in memory.

  private mutating func areAllTrue(_ chain: QueryExpression) throws(UnsupportedQueryError) -> Bool {
    for operand in chain.operands where try !isTrue(operand) { return false }
    return true
  }

  private mutating func isAnyTrue(_ chain: QueryExpression) throws(UnsupportedQueryError) -> Bool {
    for operand in chain.operands where try isTrue(operand) { return true }
    return false
  }

  private mutating func holds(_ test: QueryExpression, for member: ManagedObject) throws(UnsupportedQueryError) -> Bool
  {
    try within(.row(member)) { (inner) throws(UnsupportedQueryError) in try inner.isTrue(test) }
  }

  private mutating func within<Result>(
    _ scope: QueryAnswer, _ body: (inout Evaluator) throws(UnsupportedQueryError) -> Result
  ) throws(UnsupportedQueryError) -> Result {
    scopes.append(scope)
    defer { scopes.removeLast() }
    return try body(&self)
  }

  private func answer(at scope: Int) throws(UnsupportedQueryError) -> QueryAnswer {
    guard scopes.indices.contains(scopes.count - 1 - scope) else {
      throw UnsupportedQueryError("a variable", "does not belong to the query")
    }
    return scopes[scopes.count - 1 - scope]
  }

  private mutating func members(_ expression: QueryExpression) throws(UnsupportedQueryError) -> ContiguousArray<
    ManagedObject
  > {
    switch try answer(expression) {
    case .members(let members): return members
    case .row(let object as ManagedObject): return [object]
    // A relationship of an object that does not exist.
    case .value(.null): return []
    case .value, .row: throw UnsupportedQueryError("a collection", "is not a relationship")
    }
  }

  private func property(_ path: AnyKeyPath, of answer: QueryAnswer) throws(UnsupportedQueryError) -> QueryAnswer {
    switch answer {
    case .row(let row): return try row.answer(at: path)
    case .value(.null): return .value(.null)
    case .value, .members:
      throw UnsupportedQueryError(path.queryDescription, "is not a property of a class in the schema")
    }
  }
}
