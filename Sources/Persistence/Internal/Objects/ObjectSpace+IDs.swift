extension ObjectSpace {
  @inline(__always) func nextID(for table: ObjectTable) throws(PersistenceError) -> Int64 {
    if let id = table.ids.take() { return id }
    return try reserve(for: table)
  }

  /// Before a transaction: once it has begun, a block reserved in it would be given to others if it is rolled back.
  func reserveIDsBeforeWriting() throws(PersistenceError) {
    for table in tables where table.ids.isInUse && table.ids.remaining < 8 {
      // What is left of the old block lies below the new one and is not lost: the store gives it to another context.
      if let rest = table.ids.drain() { store.takeBack([(table.entity.index, rest)]) }
      try refill(table)
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

  private func refill(_ table: ObjectTable) throws(PersistenceError) {
    if let range = store.spareIDs(for: table.entity.index) { return table.ids.refill(range, isProvisional: false) }
    let block = table.ids.grow()
    let end = try raise(table, atLeast: max(table.ids.end, table.ids.floor), by: block)
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
