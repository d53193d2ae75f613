extension ObjectSpace {
  @inline(__always) func nextID(for table: ObjectTable) throws(PersistenceError) -> Int64 {
    if let id = table.ids.take() { return id }
    return try reserve(for: table)
  }

  /// With so many ids and more a transaction is begun.
  private static let fewIDs: Int64 = 8

  /// Before a transaction: once it has begun, a block reserved in it would be given to others if it is rolled back.
  func reserveIDsBeforeWriting() throws(PersistenceError) {
    for table in tables where table.ids.isInUse && table.ids.remaining < ObjectSpace.fewIDs {
      // What is left of the old block is not lost: the store gives it to somebody else, once this space has another
      // one.
      let rest = table.ids.drain()
      defer { if let rest { store.takeBack([(table.entity.index, rest)]) } }
      try refill(table, atLeast: ObjectSpace.fewIDs)
    }
  }

  @inline(never) private func reserve(for table: ObjectTable) throws(PersistenceError) -> Int64 {
    // A read transaction cannot turn into a writer's here; it ends, and the next read begins another.
    if unit.transaction == .reading { endTransaction() }
    try refill(table)
    guard let id = table.ids.take() else {
      throw .database(DatabaseError(code: 0, message: "no id could be reserved for \(table.entity.name)"))
    }
    return id
  }

  private func refill(_ table: ObjectTable, atLeast count: Int64 = 1) throws(PersistenceError) {
    // What has come along and is pending, the store does not know yet.
    let lowest = table.highestReturnedID + 1
    if let range = store.spareIDs(for: table.entity.index, atLeast: count, from: lowest) {
      return table.ids.refill(range, isProvisional: false)
    }
    let block = table.ids.grow()
    let floor = max(table.ids.end, lowest, try table.importer?.freeID() ?? 1)
    let end = try raise(table, atLeast: floor, by: block)
    table.importer?.goOn(from: end)
    table.ids.refill(end - block..<end, isProvisional: unit.transaction == .writing)
  }

  /// After a rollback that took reservations with it: nobody else may be given these ids.
  func raiseProvisionalIDs() {
    for table in tables where table.ids.isProvisional {
      table.ids.isProvisional = false
      _ = table.ids.drain()
      do {
        try raise(table, atLeast: table.ids.end, by: 0)
      } catch {
        // The store cannot be written. The next reservation of this space starts above the ids it has given out.
      }
    }
  }

  /// Makes the lowest free id of a class one that is at least `floor`, and `count` more; tells it.
  @discardableResult
  func raise(_ table: ObjectTable, atLeast floor: Int64, by count: Int64) throws(PersistenceError) -> Int64 {
    let statement = try connection.statement(StoreFormat.raiseIDs)
    try statement.bind([.text(table.entity.name), .integer(max(floor, 1)), .integer(count)])
    // What exceeds 64 bits has become a floating-point number, and is read as the largest whole one.
    guard let end = try statement.integer(), end < .max - 1_000_000 else { throw .noIDs(left: table.entity) }
    return end
  }
}
