extension Relationship {
  /// The table that stores the membership: the join table, or the table of the target class.
  var memberTable: String {
    if case .join(let join, _, _) = storage { return SQL.name(join.name) }
    return target.table
  }

  /// `FROM … WHERE …` for the members that fulfill a condition.
  func rows(_ pending: PendingTables, where condition: String) -> String {
    guard let pending = pending[members: self] else { return " FROM \(memberTable) WHERE \(condition)" }
    return " FROM " + pending.source(as: "members", where: condition)
  }

  var ownerColumn: String {
    switch storage {
    case .join(_, let own, _): SQL.name(own)
    case .inverseColumn(let slot): target.columns[slot].quoted
    case .column: SQL.name(SQL.id)
    }
  }

  /// The column that stores a member's position, if the relationship is ordered.
  var orderColumn: String? {
    guard isOrdered else { return nil }
    if case .join(_, let own, _) = storage { return SQL.name(SQL.order(of: own)) }
    return SQL.name(SQL.order(of: property))
  }

  /// The sort order of the members. Members without a position come last, sorted by id.
  var memberOrder: String {
    guard let orderColumn else { return memberColumn }
    return "\(orderColumn) IS NULL,\(orderColumn),\(memberColumn)"
  }

  var memberColumn: String {
    if case .join(_, _, let other) = storage { return SQL.name(other) }
    return SQL.name(SQL.id)
  }
}
