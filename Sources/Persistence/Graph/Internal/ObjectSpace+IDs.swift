extension ObjectSpace {
  @inline(__always) func nextID(for registry: EntityRegistry) throws(PersistenceError) -> Int64 {
    if let id = registry.ids.take() { return id }
    return try reserve(for: registry)
  }

  /// A transaction begins with at least this many ids.
  private static let fewIDs: Int64 = 8

  /// Called before a transaction. If a block were reserved within a transaction that is then rolled back, other
  /// contexts could assign the same ids.
  func reserveIDsBeforeWriting() throws(PersistenceError) {
    for registry in registries where registry.ids.isInUse && registry.ids.remaining < ObjectSpace.fewIDs {
      // The rest of the old block is not lost: once this space has a new block, the store assigns it elsewhere.
      let rest = registry.ids.drain()
      defer { if let rest { store.takeBack([(registry.entity.index, rest)]) } }
      try refill(registry, atLeast: ObjectSpace.fewIDs)
    }
  }

  @inline(never) private func reserve(for registry: EntityRegistry) throws(PersistenceError) -> Int64 {
    // A read transaction cannot be upgraded to a write transaction here.
    try refill(registry)
    guard let id = registry.ids.take() else {
      throw .database(DatabaseError(code: 0, message: "no id could be reserved for \(registry.entity.name)"))
    }
    return id
  }

  private func refill(_ registry: EntityRegistry, atLeast count: Int64 = 1) throws(PersistenceError) {
    // The store does not yet know pending objects that returned under their old ids.
    let lowest = registry.highestReturnedID + 1
    if let range = store.spareIDs(for: registry.entity.index, atLeast: count, from: lowest) {
      return registry.ids.refill(range, isProvisional: false)
    }
    var other: Connection?
    if unit.transaction == .reading {
      // The closure keeps its snapshot if another connection can write beside it.
      if connection.hasLog { other = try store.connect(reportsCommits: false) } else { endTransaction() }
    }
    defer { other?.close() }
    let block = registry.ids.grow()
    try reconnect()
    // Rows that other programs inserted have ids that were never reserved.
    let highest: Int64
    do { highest = try registry.highestID(on: other ?? connection) } catch { throw connection.orSuspended(error) }
    let floor = max(
      registry.ids.end, lowest, highest < .max ? highest + 1 : 1, try registry.runningImport?.freeID() ?? 1)
    let end = try raise(registry, atLeast: floor, by: block, on: other)
    registry.runningImport?.continueIDs(from: end)
    registry.ids.refill(end - block..<end, isProvisional: unit.transaction == .writing)
  }

  /// Called after a rollback of reservations: these ids must not be assigned again elsewhere.
  func raiseProvisionalIDs() {
    for registry in registries where registry.ids.isProvisional {
      registry.ids.isProvisional = false
      _ = registry.ids.drain()
      do {
        try raise(registry, atLeast: registry.ids.end, by: 0)
      } catch {
        // The store cannot be written. The next reservation of this space starts above the ids that it has assigned.
      }
    }
  }

  /// Raises the lowest free id of a class to at least `floor`, and by a further `count`, and returns it.
  @discardableResult
  func raise(
    _ registry: EntityRegistry, atLeast floor: Int64, by count: Int64, on other: Connection? = nil
  ) throws(PersistenceError) -> Int64 {
    try reconnect()
    let isAlone = other != nil || !connection.isInTransaction
    let isCounted = isAlone ? try HistoryLog(connection, schema).storedLimit() != nil : false
    let sql = isCounted ? StoreFormat.raiseIDsAlone : StoreFormat.raiseIDs
    let statement = try (other ?? connection).statement(sql)
    try statement.bind([.text(registry.entity.name), .integer(max(floor, 1)), .integer(count)])
    var raised: Int64?
    do throws(PersistenceError) {
      while try statement.step() { if !isCounted || !statement.text(1).isEmpty { raised = statement.int64(0) } }
    } catch {
      throw connection.orSuspended(error)
    }
    // A number above 64 bits has become a floating-point number, and is read as the largest integer.
    guard let end = raised, end < .max - 1_000_000 else { throw .noIDs(leftFor: registry.entity.name) }
    return end
  }
}

extension EntityRegistry {
  func highestID(on other: Connection? = nil) throws(PersistenceError) -> Int64 {
    try (other ?? space.connection).statement("SELECT max(\(SQL.name(SQL.id))) FROM \(entity.table)").integer() ?? 0
  }
}
