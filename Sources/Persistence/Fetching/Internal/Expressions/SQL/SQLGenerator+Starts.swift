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
    return Conjunct(sql: sql, starts: pending.isEmpty ? hop.starts(for: parts) : [])
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

    /// One start for each index on the related table, and for each on the tables that lead to it. Without any, one that
    /// reads the related table.
    func starts(for parts: [Conjunct]) -> [RelatedStart] {
      let table = "\(link.target.table) AS \(link.alias)"
      let all = parts.map(\.sql)
      var result = parts.indexed(in: link.target).map { indexed in
        RelatedStart(table, first: SQLGenerator.joined(indexed.map { all[$0] }, " AND "), all)
      }
      for (index, part) in parts.enumerated() {
        var others = all
        others.remove(at: index)
        for var start in part.starts {
          start.join(table, on: "\(start.column) = \(start.key)", others)
          result.append(start)
        }
      }
      if result.isEmpty { result = [RelatedStart(table, first: nil, all)] }
      for index in result.indices {
        if let pairs { result[index].join(pairs.table, on: pairs.link) }
        result[index].end(key, column, isToOne: isToOne)
      }
      return result
    }
  }
}
