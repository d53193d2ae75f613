extension MigrationRun {
  /// Drops the triggers of all base tables, so that they record nothing of the migration.
  func beginTracking() throws(PersistenceError) {
    let parts = try connection.trackingParts()
    for table in current.tables where !table.isJoin && !parts.isEmpty {
      guard let base = try connection.storedBase(of: table.name, in: current) else { continue }
      bases.append(MigratedBase(base, isComplete: base.triggers.allSatisfy { parts[$0.key] == $0.value }))
    }
    for part in bases.flatMap(\.stored.triggers.keys) { try connection.dropTrigger(part) }
    if !bases.isEmpty { try connection.createSharedTables(parts) }
  }

  /// Lets base tables, and whatever else names classes and columns, follow an operation.
  func follow(_ operation: MigrationOperation) throws(PersistenceError) {
    if bases.isEmpty { return }
    for index in bases.indices { bases[index].follow(operation) }
    switch operation {
    case .dropTable(let name, _):
      for base in bases where base.owner == name { try connection.execute("DROP TABLE \(base.stored.name)") }
      bases.removeAll { $0.owner == name }
      try NamedRecords(connection).removeClass(name)
    case .renameTable(let old, let new, isJoin: false): try NamedRecords(connection).renameClass(old, to: new)
    case .renameColumn(let column, let table, let new):
      try NamedRecords(connection).renameColumn(column, of: table, to: new)
    default: break
    }
  }

  /// Notes that a custom step may change any value.
  func forgetBases() { for index in bases.indices { bases[index].isUnknown = true } }

  /// Adapts the base tables, and creates the triggers that the file had.
  func finishTracking() throws(PersistenceError) {
    let wanted = Dictionary(schema.trackedClasses.map { ($0.name, $0.base) }) { first, _ in first }
    for index in bases.indices {
      for (old, new) in bases[index].renameLists(current.lists(of: bases[index].owner)) {
        try NamedRecords(connection).renameColumn(old, of: bases[index].owner, to: new)
      }
    }
    let moves = bases.map { (old: $0, new: $0.successor(wanted[$0.owner], current.lists(of: $0.owner))) }
    let changed = moves.enumerated().filter { !$0.element.old.isSame(as: $0.element.new) }
    // All at first, because two classes may have swapped their names.
    for (number, move) in changed { try connection.makeTemporary(move.old.stored, as: number) }
    for (number, move) in changed {
      try connection.create(move.new, from: number, move.old.sources, isUnknown: move.old.isUnknown)
    }
    for move in moves where move.old.isComplete {
      for trigger in move.new.triggers.values { try connection.execute(trigger) }
    }
    bases = []
  }
}
