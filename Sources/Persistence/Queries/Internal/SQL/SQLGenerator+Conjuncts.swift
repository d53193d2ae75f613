extension SQLGenerator {
  /// The operands of a condition on a row, which is the innermost scope.
  mutating func conjuncts(_ condition: QueryExpression) throws(UnsupportedQueryError) -> [Conjunct] {
    var result: [Conjunct] = []
    for operand in condition.conjunction {
      if case .truth(true) = operand { continue }
      result.append(try conjunct(operand))
    }
    return result
  }

  private mutating func conjunct(_ condition: QueryExpression) throws(UnsupportedQueryError) -> Conjunct {
    guard case .row(let alias, let entity) = scopes.last else {
      throw UnsupportedQueryError("a variable", "is not a row")
    }
    if case .search(.scope(0), in: nil, _) = condition {
      return Conjunct(sql: try self.condition(condition).sql, search: arguments.count)
    }
    guard case .exists(let members, let test) = condition.asExists, case .property(let path, of: 0) = members,
      test.isClosed(within: 1), !condition.isKeyComparison(test, path, of: entity),
      let hop = try hop(path, from: alias, entity)
    else {
      return Conjunct(
        sql: try self.condition(condition).sql, column: condition.comparedColumn(of: entity),
        indexCondition: entity.indexCondition(condition))
    }
    scopes.append(.row(alias: hop.link.alias, hop.link.target))
    defer { scopes.removeLast() }
    let parts = try conjuncts(test)
    let all = [hop.link.condition] + parts.map(\.sql)
    let sql = "EXISTS (SELECT 1 FROM \(hop.link.tables) WHERE \(SQLGenerator.joined(all, " AND ")))"
    return Conjunct(sql: sql, related: pending.isEmpty ? hop.keys(for: parts) : nil)
  }

  /// A step from a row to its related rows, or nil if the path is not a relationship.
  private mutating func hop(
    _ path: any PropertyPath, from alias: String, _ entity: Entity
  ) throws(UnsupportedQueryError) -> Hop? {
    let owner = try property(path, in: entity, alias, nullable: false)
    let target = nextAlias()
    switch (owner.kind, entity.property(at: path)) {
    case (.object, .toOne):
      let link = try link(to: owner, target)
      return Hop(link: link, column: owner.sql, key: "\(target).\(SQL.name(SQL.id))", isToOne: true)
    case (.members(let relationship), _):
      let link = try link(to: owner, target)
      guard case .join = relationship.storage else {
        return Hop(link: link, column: owner.sql, key: "\(target).\(relationship.ownerColumn)")
      }
      let pairs = nextAlias()
      return Hop(
        link: link, column: owner.sql, key: "\(pairs).\(relationship.ownerColumn)",
        pairs: (
          "\(relationship.memberTable) AS \(pairs)",
          "\(pairs).\(relationship.memberColumn) = \(target).\(SQL.name(SQL.id))"
        ))
    default: return nil
    }
  }

  /// A step from a row to its related rows, and back.
  private struct Hop {
    let link: MemberLink
    let column: String
    let key: String
    var isToOne = false
    /// The join table, and how it is joined to the table of the related rows.
    var pairs: (table: String, link: String)?

    /// If no index on the related table finds the rows, one on a table that leads to it may.
    func keys(for parts: [Conjunct]) -> RelatedKeys {
      var conditions = parts.map(\.sql)
      var isScanned = parts.indexed(in: link.target).isEmpty
      var isToOne = isToOne
      if isScanned, let further = parts.firstIndex(where: { $0.related != nil }), let related = parts[further].related {
        conditions[further] = related.sql
        isScanned = related.scanned != nil
        isToOne = isToOne && related.isToOne
      }
      let tables =
        "\(link.target.table) AS \(link.alias)" + (pairs.map { " CROSS JOIN \($0.table) ON \($0.link)" } ?? "")
      let filter = conditions.isEmpty ? "" : " WHERE " + SQLGenerator.joined(conditions, " AND ")
      return RelatedKeys(
        column: column, keys: "SELECT \(key) FROM \(tables)\(filter)", isToOne: isToOne,
        scanned: isScanned ? link.target.table : nil)
    }
  }
}
