extension SQLGenerator {
  func scope(_ scope: Int) throws(UnsupportedQueryError) -> Scope {
    guard scopes.indices.contains(scopes.count - 1 - scope) else {
      throw UnsupportedQueryError("a variable", "does not belong to the query")
    }
    return scopes[scopes.count - 1 - scope]
  }

  func object(at scope: Int) throws(UnsupportedQueryError) -> SQLFragment {
    switch try self.scope(scope) {
    case .row(let alias, let entity):
      SQLFragment(SQLGenerator.column(alias, SQL.name(SQL.id)), .object(entity), isNullable: false)
    case .value(let fragment): fragment
    }
  }

  mutating func property(_ path: AnyKeyPath, at scope: Int) throws(UnsupportedQueryError) -> SQLFragment {
    guard case .row(let alias, let entity) = try self.scope(scope) else {
      return try property(path, of: object(at: scope))
    }
    return try property(path, in: entity, alias, nullable: false)
  }

  func property(
    _ path: AnyKeyPath, in entity: Entity, _ alias: String, nullable: Bool
  ) throws(UnsupportedQueryError) -> SQLFragment {
    guard let property = entity.property(at: path) else { throw .unknown(path, in: entity) }
    switch property {
    case .id: return SQLFragment("\(alias).\(SQL.name(SQL.id))", .value, isNullable: nullable)
    case .attribute(let slot):
      let column = entity.columns[slot]
      let sql = SQLGenerator.column(alias, column.quoted)
      return SQLFragment(sql, .value, isNullable: nullable || column.isOptional)
    case .toOne(let relationship):
      switch relationship.storage {
      case .column(let slot):
        let sql = SQLGenerator.column(alias, entity.columns[slot].quoted)
        return SQLFragment(sql, .object(relationship.target), isNullable: true)
      default: throw UnsupportedQueryError(relationship.path, "is stored in a way that queries do not support")
      }
    case .toMany(let relationship):
      return SQLFragment("\(alias).\(SQL.name(SQL.id))", .members(relationship), isNullable: nullable)
    }
  }

  /// A property of the object whose id is the SQL.
  mutating func property(_ path: AnyKeyPath, of object: SQLFragment) throws(UnsupportedQueryError) -> SQLFragment {
    guard case .object(let entity) = object.kind else {
      throw UnsupportedQueryError(path.queryDescription, "is not a property of a class in the schema")
    }
    switch entity.property(at: path) {
    case nil: throw .unknown(path, in: entity)
    case .id: return SQLFragment(object.sql, .value, isNullable: object.isNullable, failing: object.failing)
    case .toMany(let relationship):
      return SQLFragment(object.sql, .members(relationship), isNullable: object.isNullable, failing: object.failing)
    default:
      if let alias = joinedAlias(of: object, entity) {
        var result = try property(path, in: entity, alias, nullable: true)
        result.failing = object.failing
        return result
      }
      let alias = nextAlias()
      var result = try property(path, in: entity, alias, nullable: object.isNullable)
      let rows = SQLGenerator.rows(
        of: entity.table, pending[entity], as: alias, where: "\(alias).\(SQL.name(SQL.id)) = \(object.sql)")
      result.sql = "(SELECT \(result.sql) FROM \(rows.from) WHERE \(rows.condition))"
      result.failing = object.failing
      return result
    }
  }

  mutating func first(_ members: QueryExpression, _ test: QueryExpression) throws(UnsupportedQueryError) -> SQLFragment
  {
    let rows = try rows(members, test)
    let id = "\(rows.link.alias).\(SQL.name(SQL.id))"
    let sql = "(SELECT \(id) \(rows.sql) ORDER BY \(rows.link.order) LIMIT 1)"
    return SQLFragment(sql, .object(rows.link.target), isNullable: true)
  }

  mutating func nextAlias() -> String {
    defer { aliases += 1 }
    return "t\(aliases)"
  }

  /// `FROM … WHERE …` for the members of a relationship that match a condition, and the SQL of a value of each.
  mutating func rows(
    _ members: QueryExpression, _ test: QueryExpression, of value: QueryExpression? = nil
  ) throws(UnsupportedQueryError) -> (sql: String, link: MemberLink, value: String?) {
    let owner = try fragment(members)
    let alias = nextAlias()
    let link = try link(to: owner, alias)
    scopes.append(.row(alias: alias, link.target))
    defer { scopes.removeLast() }
    // Parameters are numbered in this order.
    let valueSQL: String? = if let value { try self.value(value).sql } else { nil }
    let sql = "FROM \(link.tables) WHERE \(link.condition)"
    if case .truth(true) = test { return (sql, link, valueSQL) }
    return (sql + " AND " + (try condition(test).sql), link, valueSQL)
  }

  mutating func aggregate(
    _ function: AggregateFunction, of members: QueryExpression, _ value: QueryExpression, where test: QueryExpression
  ) throws(UnsupportedQueryError) -> SQLFragment {
    let rows = try rows(members, test, of: value)
    return SQLFragment(
      "(SELECT \(function.sql(rows.value ?? "")) \(rows.sql))", .value, isNullable: function.isNullable)
  }

  /// The tables of a relationship's members, the condition that connects them to the owner, and their order.
  struct MemberLink {
    let tables: String
    let condition: String
    let order: String
    let alias: String
    let target: Entity
  }

  mutating func link(to owner: SQLFragment, _ alias: String) throws(UnsupportedQueryError) -> MemberLink {
    let id = "\(alias).\(SQL.name(SQL.id))"
    if case .object(let target) = owner.kind {
      let rows = SQLGenerator.rows(of: target.table, pending[target], as: alias, where: "\(id) = \(owner.sql)")
      return MemberLink(tables: rows.from, condition: rows.condition, order: id, alias: alias, target: target)
    }
    guard case .members(let relationship) = owner.kind else {
      throw UnsupportedQueryError("a collection", "is not a relationship")
    }
    let target = relationship.target
    var pairs = alias
    if case .join = relationship.storage { pairs = nextAlias() }
    var rows = SQLGenerator.rows(
      of: relationship.memberTable, pending[members: relationship], as: pairs,
      where: "\(pairs).\(relationship.ownerColumn) = \(owner.sql)")
    if pairs != alias {
      let member = "\(pairs).\(relationship.memberColumn)"
      let members = SQLGenerator.rows(
        of: target.table, pending[target], as: alias,
        where: "\(id) IN (SELECT \(member) FROM \(rows.from) WHERE \(rows.condition))")
      rows.from += " JOIN \(members.from) ON \(id) = \(member)"
    }
    let position = relationship.orderColumn.map { "\(pairs).\($0) IS NULL,\(pairs).\($0)," } ?? ""
    return MemberLink(
      tables: rows.from, condition: rows.condition, order: position + id, alias: alias, target: target)
  }
}
