/// The state of a space's temporary tables, which have its pending changes for queries outside `persist`.
///
/// Only what was changed since the last query is written there. After a rollback, which undoes changes of temporary
/// tables too, and after a save, the tables are filled again from the lists of pending changes.
struct PendingRows {
  /// The tables that queries have to include.
  fileprivate(set) var tables = PendingTables()
  /// Whether the contents are unknown or outdated.
  var isStale = false
  /// The tables that have been created in this connection.
  fileprivate var created: [String: PendingTable] = [:]
  /// What the tables contain of the pending changes of each class, and of the links.
  fileprivate var marks: [Int: PendingChanges.Mark] = [:]
  fileprivate var links = 0
  /// Whether rows were copied from the store. They are outdated when another connection commits.
  fileprivate var hasCopies = false
  /// Whether rows were copied because their texts are not in the full-text index.
  fileprivate var hasTexts = false
  fileprivate var rollbacks = 0
  fileprivate var dataVersion: Int64?
}

extension ObjectSpace {
  /// Begins to read. Returns the tables whose pending rows a query must include.
  ///
  /// A `persist` closure has the write lock, so it writes its changes and queries the store. Everywhere else, nothing
  /// is written to the store.
  ///
  /// - Parameter isSearch: Whether full-text indexes must have all texts, including those that other programs wrote.
  func beginQuery(isSearch: Bool = false) throws(PersistenceError) -> PendingTables {
    if unit.phase == .persisting { try writePending(indexingTexts: isSearch) }
    try beginReading()
    if unit.phase == .persisting { return PendingTables() }
    let isUnindexed = isSearch ? try connection.hasUnindexedTexts(of: schema.searchTables) : false
    let hasChanges = !links.isEmpty || registries.contains { !$0.changes.isEmpty }
    guard hasChanges || isUnindexed || !pendingRows.tables.isEmpty else { return pendingRows.tables }
    do throws(PersistenceError) {
      try whileWritingTemporaryTables { () throws(PersistenceError) in
        let hasNone = !hasChanges && !isUnindexed && !pendingRows.hasTexts
        if try hasNone ? true : isOutdated() { try emptyPendingRows() }
        if hasChanges { try updatePendingRows() }
        if isUnindexed { try adoptUnindexedTexts() }
        if isSearch { try connection.indexTexts(of: pendingRows.created.values.compactMap(\.search)) }
      }
    } catch {
      pendingRows.isStale = true
      throw error
    }
    return pendingRows.tables
  }

  /// The connection of a read-only store also refuses to write temporary tables.
  private func whileWritingTemporaryTables(_ body: () throws(PersistenceError) -> Void) throws(PersistenceError) {
    guard store.configuration.isReadOnly else { return try body() }
    try connection.execute("PRAGMA query_only=OFF")
    do throws(PersistenceError) { try body() } catch {
      try connection.execute("PRAGMA query_only=ON")
      throw error
    }
    try connection.execute("PRAGMA query_only=ON")
  }

  /// While the closure runs, the names of some tables stand for their rows with the pending changes. All statements of
  /// the connection are then prepared again when they are used next.
  func whileNaming<Result>(
    _ tables: [PendingTable], _ body: () throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    if tables.isEmpty { return try body() }
    // The closure may run another one that names the same tables.
    for table in tables { views[table.rows, default: (table, 0)].uses += 1 }
    defer {
      for table in tables { views[table.rows]?.uses -= 1 }
      // What cannot be dropped now is dropped before the next transaction.
      try? dropUnusedViews()
    }
    try whileWritingTemporaryTables { () throws(PersistenceError) in
      for table in tables { try connection.execute(table.view) }
    }
    return try body()
  }

  /// Drops the views that no closure uses any longer, because nothing can be written to the tables while they exist.
  func dropUnusedViews() throws(PersistenceError) {
    try whileWritingTemporaryTables { () throws(PersistenceError) in
      for (table, uses) in views.values where uses == 0 {
        try connection.execute(table.removalOfView)
        views[table.rows] = nil
      }
    }
  }

  private func isOutdated() throws(PersistenceError) -> Bool {
    if pendingRows.isStale || pendingRows.rollbacks != connection.rollbacks { return true }
    guard pendingRows.hasCopies else { return false }
    return try pendingRows.dataVersion != connection.foreignDataVersion()
  }

  private func emptyPendingRows() throws(PersistenceError) {
    let old = pendingRows.created.values
    let isUndone = pendingRows.rollbacks != connection.rollbacks
    pendingRows = PendingRows()
    pendingRows.rollbacks = connection.rollbacks
    pendingRows.dataVersion = try connection.foreignDataVersion()
    // A rollback may also have undone the creation.
    for table in old { for sql in isUndone ? table.creation : table.removal { try connection.statement(sql).run() } }
    for table in old { pendingRows.created[table.rows] = table }
  }

  private func updatePendingRows() throws(PersistenceError) {
    takeOrders()
    for registry in registries where !registry.changes.isEmpty {
      let pending = try pendingTable(of: registry.entity)
      let mark = pendingRows.marks[registry.entity.index] ?? PendingChanges.Mark()
      pendingRows.marks[registry.entity.index] = try registry.updatePendingRows(pending, after: mark)
    }
    try apply(links.all[pendingRows.links...], to: PendingLinkRows(space: self))
    pendingRows.links = links.count
  }

  private func adoptUnindexedTexts() throws(PersistenceError) {
    for entity in schema.entities where entity.searchTable != nil {
      for sql in try pendingTable(of: entity).adoptionOfTexts { try connection.statement(sql).run() }
    }
    (pendingRows.hasCopies, pendingRows.hasTexts) = (true, true)
  }

  fileprivate func pendingTable(of entity: Entity) throws(PersistenceError) -> PendingTable {
    if let known = pendingRows.tables[entity] { return known }
    let table = try created(registry(of: entity).pending)
    pendingRows.tables[entity] = table
    return table
  }

  fileprivate func pendingTable(of join: JoinTable) throws(PersistenceError) -> PendingTable {
    if let known = pendingRows.tables[join] { return known }
    let table = try created(PendingTable(schema.stored(join)))
    pendingRows.tables[join] = table
    return table
  }

  /// Makes the stored rows pending that have an id in a column.
  fileprivate func adopt(_ pending: PendingTable, where column: String, _ id: Int64) throws(PersistenceError) {
    for sql in pending.adoption(where: "stored.\(column)=?1") {
      if try connection.run(sql, id) { pendingRows.hasCopies = true }
    }
  }

  private func created(_ table: PendingTable) throws(PersistenceError) -> PendingTable {
    if let known = pendingRows.created[table.rows] { return known }
    for sql in table.creation { try connection.execute(sql) }
    pendingRows.created[table.rows] = table
    return table
  }
}

extension EntityRegistry {
  /// Adds what has changed since the mark. Returns the new mark.
  fileprivate func updatePendingRows(
    _ pending: PendingTable, after mark: PendingChanges.Mark
  ) throws(PersistenceError) -> PendingChanges.Mark {
    freezeChanges()
    let connection = space.connection
    let hide = "INSERT OR IGNORE INTO \(pending.hidden) VALUES(?)"
    for object in changes.deleted[mark.deleted...] {
      try connection.run(hide, object._id)
      // An object that was deleted and returned has a new row.
      try connection.run("DELETE FROM \(pending.rows) WHERE \(pending.key)=?", object._id)
    }
    for update in changes.updates[mark.updates...] where !update.object.isDeleted {
      if entity.hasOrders { try space.adopt(pending, where: pending.key, update.object._id) }
      try connection.run(hide, update.object._id)
      try write(update.object, to: pending)
    }
    for object in changes.inserted[mark.inserted...] where !object.isDeleted {
      // Another context may restore the same row.
      if object._state & ObjectState.returned != 0 { try connection.run(hide, object._id) }
      try write(object, to: pending)
    }
    changes.copiedUpdates = changes.updates.count
    return changes.mark
  }

  /// Writes the values in memory. Those that cannot be stored become NULL.
  private func write(_ object: ManagedObject, to pending: PendingTable) throws(PersistenceError) {
    let statement = try space.connection.statement(statements.pending(pending, entity))
    arena.pointee.reset()
    _ = statement.bind(object._id, at: 1)
    for slot in layouts.indices {
      let index = Int32(slot + 2)
      if bind(slot, of: object, to: statement, at: index) != Statement.bound { _ = statement.bindNull(at: index) }
    }
    _ = statement.bind(Int64(object._version), at: Int32(layouts.count + 2))
    try statement.run()
  }
}

extension TableStatements {
  /// Inserts a pending row or replaces its values: ?1 is the id, the attributes follow, and then the version. A row
  /// that moves to another owner loses its position there.
  fileprivate func pending(_ pending: PendingTable, _ entity: Entity) -> String {
    if let pendingRow { return pendingRow }
    let names = entity.columns.map(\.quoted) + entity.columns.flatMap { $0.derived("").map(\.column) }
    let orders = entity.references.compactMap { reference -> String? in
      guard let reference, let order = reference.inverse.orderColumn, let slot = reference.declaration.slot else {
        return nil
      }
      let owner = entity.columns[slot].quoted
      return "\(order)=CASE WHEN \(owner) IS excluded.\(owner) THEN \(order) END"
    }
    let version = SQL.name(SQL.version)
    let row = TableStatements.row(0, of: entity).dropLast()
    let sets = (names + [version]).map { "\($0)=excluded.\($0)" } + orders
    let sql =
      "INSERT INTO \(pending.rows)(\(([pending.key] + names + [version]).joined(separator: ","))) "
      + "VALUES \(row),?\(entity.columns.count + 2)) ON CONFLICT(\(pending.key)) DO UPDATE SET "
      + sets.joined(separator: ",")
    pendingRow = sql
    return sql
  }
}

extension Entity {
  /// Whether its table has positions in ordered relationships.
  fileprivate var hasOrders: Bool { references.contains { $0?.inverse.orderColumn != nil } }
}

/// Links among the pending rows.
private struct PendingLinkRows: LinkWriter {
  let space: ObjectSpace

  func add(_ join: JoinTable, _ first: Int64, _ second: Int64) throws(PersistenceError) -> Bool {
    let pending = try space.pendingTable(of: join)
    // Whether the pair is new depends on the store.
    space.pendingRows.hasCopies = true
    return try space.connection.run(
      "INSERT OR IGNORE INTO \(pending.rows)(\(pending.key)) SELECT ?1,?2 WHERE NOT EXISTS "
        + "(SELECT 1 FROM \(pending.main) AS stored WHERE (\(pending.key))=(?1,?2) AND \(pending.isShown("stored")))",
      first, second)
  }

  func remove(_ join: JoinTable, _ first: Int64, _ second: Int64) throws(PersistenceError) {
    let pending = try space.pendingTable(of: join)
    try space.connection.run("DELETE FROM \(pending.rows) WHERE (\(pending.key))=(?,?)", first, second)
    try space.connection.run("INSERT OR IGNORE INTO \(pending.hidden) VALUES(?,?)", first, second)
  }

  func clear(_ join: JoinTable, _ column: String, _ id: Int64) throws(PersistenceError) {
    let pending = try space.pendingTable(of: join)
    // The rows to leave out are the copies of the stored ones, which are then removed.
    try space.adopt(pending, where: SQL.name(column), id)
    try space.connection.run("DELETE FROM \(pending.rows) WHERE \(SQL.name(column))=?", id)
  }

  func table(of relationship: Relationship, _ owner: Int64) throws(PersistenceError) -> String {
    let pending: PendingTable
    if case .join(let join, _, _) = relationship.storage {
      pending = try space.pendingTable(of: join)
    } else {
      pending = try space.pendingTable(of: relationship.target)
    }
    try space.adopt(pending, where: relationship.ownerColumn, owner)
    return pending.rows
  }

  func didReorder(_ relationship: Relationship, _ owner: Int64) {}
}
