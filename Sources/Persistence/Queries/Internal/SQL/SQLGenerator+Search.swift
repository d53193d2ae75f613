extension SQLGenerator {
  /// Whether an object is among those whose texts match.
  mutating func search(
    _ object: QueryExpression, _ path: (any PropertyPath)?, _ text: SearchText
  ) throws(UnsupportedQueryError) -> SQLFragment {
    let (object, entity, table) = try searched(object)
    var column: String?
    if let path { column = SQL.name(entity.columns[try searchSlot(path, in: entity)].name) }
    let text = try parameter(.text(text.match))
    func matches(_ table: String) -> String { "SELECT rowid FROM \(table) WHERE \(column ?? table) MATCH \(text)" }
    var ids = matches(table.name)
    if let pending = pending[entity]?.searched { ids += pending.others + " UNION ALL " + matches(pending.table) }
    return .condition(
      "\(object.sql) IN (\(ids))",
      isNullable: object.isNullable, failing: object.failing)
  }

  /// The rank of an object among those whose texts match.
  ///
  /// FTS5 calculates ranks for all matches together, so they are joined and not looked up one by one.
  mutating func rank(
    _ object: QueryExpression, _ text: SearchText, _ weights: [SearchWeightValue]
  ) throws(UnsupportedQueryError) -> SQLFragment {
    let (object, entity, table) = try searched(object)
    var factors: [Int?] = Array(repeating: nil, count: entity.searchSlots.count)
    for weight in weights {
      let slot = try searchSlot(weight.path, in: entity)
      arguments.append(.real(weight.value))
      if let index = entity.searchSlots.firstIndex(of: slot) { factors[index] = arguments.count }
    }
    arguments.append(.text(text.match))
    let ranks = RankJoin(
      object: object.sql, table: table.name, pending: pending[entity]?.searched, weights: factors, text: arguments.count
    )
    let alias = try joinedAlias(of: ranks)
    return SQLFragment("\(alias).rank", .value, isNullable: true)
  }

  private mutating func searched(
    _ object: QueryExpression
  ) throws(UnsupportedQueryError) -> (object: SQLFragment, Entity, SearchTable) {
    let object = try fragment(object)
    guard case .object(let entity) = object.kind else {
      throw UnsupportedQueryError("a search", "only objects of a class in the schema can be searched")
    }
    guard let table = entity.searchTable else {
      throw UnsupportedQueryError(entity.name, "it has no searchable attribute: declare one with .searchable")
    }
    hasSearch = true
    return (object, entity, table)
  }

  private func searchSlot(_ path: any PropertyPath, in entity: Entity) throws(UnsupportedQueryError) -> Int {
    guard case .attribute(let slot) = entity.property(at: path) else { throw .unknown(path, in: entity) }
    guard entity.searchSlots.contains(slot) else {
      let name = "\(entity.name).\(entity.columns[slot].property)"
      throw UnsupportedQueryError(name, "it is not searchable: declare it with .searchable")
    }
    return slot
  }
}
