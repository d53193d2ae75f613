/// The attributes and relationships that a closure has read.
struct ReadRegion: Sendable {
  /// The slots that were read, by class. A class of which only the rows were counted has none.
  private var slots: [Int: SlotSet] = [:]
  private var joins: Set<Int> = []
  /// Whether the order of a relationship was read.
  private var isOrdered = false

  /// - Parameter columns: The columns that SQLite has reported. Those of no class, such as the columns of a common
  ///   table expression, do not count.
  init(_ columns: Set<ReadColumn>, in schema: Schema) {
    for column in columns {
      let table = column.table.lowercased()
      if column.column.lowercased().hasPrefix(SQL.orderPrefix) { isOrdered = true }
      if let entity = schema.entities.first(where: { $0.name.lowercased() == table }) {
        slots[entity.index, default: SlotSet()].formUnion(entity.slots(of: column.column))
      } else if let join = schema.joins.first(where: { $0.name.lowercased() == table }) {
        joins.insert(join.index)
      } else if let entity = schema.entities.first(where: { $0.hasSearchIndex(in: table) }) {
        slots[entity.index, default: SlotSet()].formUnion(SlotSet(entity.searchSlots))
      }
    }
  }

  func isAffected(by changes: ChangeSet) -> Bool {
    if changes.entities.contains(where: { changes in slots[changes.entity.index].map(changes.affects) ?? false }) {
      return true
    }
    return changes.links.contains { link in
      switch link {
      case .added(let join, _, _), .removed(let join, _, _), .all(let join): joins.contains(join)
      case .reordered: isOrdered
      }
    }
  }
}

extension Entity {
  /// The attributes whose values a column depends on.
  fileprivate func slots(of column: String) -> SlotSet {
    let column = column.lowercased()
    if column.isEmpty || column == SQL.id || column.hasPrefix(SQL.orderPrefix) { return SlotSet() }
    let slots = columns.indices.filter {
      columns[$0].name.lowercased() == column || columns[$0].keyName.lowercased() == column
    }
    // The version of a row changes with each of its values.
    return slots.isEmpty ? .everything : SlotSet(slots)
  }

  /// Whether a table is the full-text index of the class, or one of the tables that FTS5 keeps for it.
  fileprivate func hasSearchIndex(in table: String) -> Bool {
    guard let index = searchTable?.bareName.lowercased() else { return false }
    return table == index || SearchTable.parts.contains { table == "\(index)_\($0)" }
  }
}

extension SlotSet {
  fileprivate init(_ slots: [Int]) {
    self.init()
    for slot in slots { insert(slot) }
  }
}
