extension ObjectTable {
  func writeDeletes() throws(PersistenceError) {
    guard changes.writtenDeletes < changes.deleted.count else { return }
    var gone: ContiguousArray<ManagedObject> = []
    for object in changes.deleted[changes.writtenDeletes...] {
      let isUnwritten = object._state & (ObjectState.fresh | ObjectState.written) == ObjectState.fresh
      if !isUnwritten { gone.append(object) }
    }
    gone.sort { $0._id < $1._id }
    let statement = try space.connection.statement(statements.deleteRun)
    var first = 0
    while first < gone.count {
      // Neighbouring ids of the same version go in one statement.
      var last = first
      while last + 1 < gone.count, gone[last + 1]._id == gone[last]._id + 1,
        gone[last + 1]._version == gone[first]._version
      {
        last += 1
      }
      _ = statement.bind(gone[first]._id, at: 1)
      _ = statement.bind(gone[last]._id, at: 2)
      _ = statement.bind(Int64(gone[first]._version), at: 3)
      try statement.run()
      if statement.changes != last - first + 1 { try deleteChanged(gone[first...last]) }
      first = last + 1
    }
    changes.writtenDeletes = changes.deleted.count
  }

  func writeUpdates() throws(PersistenceError) {
    var hasFreed = false
    while changes.writtenUpdates < changes.updates.count {
      let index = changes.writtenUpdates
      let count = batchOfUpdates(from: index)
      let outcome = count == TableStatements.batch ? try writeUpdates(index..<index + count) : .refused
      if outcome == .written {
        changes.writtenUpdates += count
        continue
      }
      // One by one: alone, or because a batch was refused, of which the row to blame is told here.
      for index in index..<index + max(1, count) {
        if outcome == .partly, try isInStore(changes.updates[index].object) {
          markWritten(index)
        } else {
          try writeUpdate(index, &hasFreed)
        }
        changes.writtenUpdates = index + 1
      }
    }
  }

  /// Whether there is a row in the store for the update to change.
  @inline(__always) private func isWritable(_ object: ManagedObject) -> Bool {
    object._state & ObjectState.deleted == 0
      && object._state & (ObjectState.fresh | ObjectState.written) != ObjectState.fresh
  }

  /// How many updates from here on can go in one statement: those of the same attributes and the same version.
  private func batchOfUpdates(from first: Int) -> Int {
    let mask = changes.updates[first].mask
    let version = changes.updates[first].object._version
    let limit = min(TableStatements.batch, changes.updates.count - first)
    guard limit == TableStatements.batch, mask.nonzeroBitCount <= TableStatements.batchedAttributes else { return 0 }
    for index in first..<first + limit {
      let object = changes.updates[index].object
      guard changes.updates[index].mask == mask, object._version == version, isWritable(object) else { return 0 }
      // The same object twice would be one row for two updates.
      for earlier in first..<index where changes.updates[earlier].object === object { return 0 }
    }
    return limit
  }

  private enum BatchOutcome {
    case written
    /// Nothing is written.
    case refused
    /// Somebody else has changed some of the rows; the others are written.
    case partly
  }

  /// Writes a batch in one statement.
  private func writeUpdates(_ batch: Range<Int>) throws(PersistenceError) -> BatchOutcome {
    let mask = changes.updates[batch.lowerBound].mask
    let version = Int64(changes.updates[batch.lowerBound].object._version)
    let statement = try space.connection.statement(statements.updateBatch(mask, entity))
    arena.pointee.reset()
    _ = statement.bind(version, at: 1)
    _ = statement.bind(version + 1, at: 2)
    var value = Int32(3 + batch.count)
    for (place, index) in batch.enumerated() {
      let object = changes.updates[index].object
      _ = statement.bind(object._id, at: Int32(3 + place))
      try bind(mask, of: object, to: statement, from: &value)
    }
    do {
      try statement.run()
    } catch {
      // SQLite has undone the whole statement.
      guard case .database(let cause) = error, cause.isConstraint else { throw error }
      return .refused
    }
    guard statement.changes == batch.count else { return .partly }
    for index in batch { markWritten(index) }
    return .written
  }

  private func writeUpdate(_ index: Int, _ hasFreed: inout Bool) throws(PersistenceError) {
    let (object, mask) = (changes.updates[index].object, changes.updates[index].mask)
    guard isWritable(object) else { return }
    let statement = try space.connection.statement(statements.update(mask, entity))
    do {
      try write(object, mask, statement)
    } catch {
      // The value may belong to an object that is about to give it away: values can be swapped.
      guard case .notUnique = error, !hasFreed else { throw error }
      hasFreed = true
      try freeUniqueValues(of: ArraySlice(changes.updates[index...]))
      try write(object, mask, statement)
    }
    markWritten(index)
  }

  @inline(__always) private func markWritten(_ index: Int) {
    changes.updates[index].object._version &+= 1
    changes.updates[index].isWritten = true
  }

  /// Puts a value that nobody else can have in the place of each unique value that is going to change.
  private func freeUniqueValues(of updates: ArraySlice<PendingChanges.Update>) throws(PersistenceError) {
    for (slot, column) in entity.columns.enumerated() where entity.uniqueSlots & (1 &<< UInt64(slot)) != 0 {
      let statement = try space.connection.statement(
        "UPDATE \(entity.table) SET \(column.quoted)=CAST('\u{1}free:' || ?1 AS BLOB) WHERE \(SQL.name(SQL.id))=?1")
      for update in updates where update.mask & (1 &<< UInt64(slot)) != 0 {
        _ = statement.bind(update.object._id, at: 1)
        try statement.run()
      }
    }
  }

  @inline(__always)
  private func write(_ object: ManagedObject, _ mask: UInt64, _ statement: Statement) throws(PersistenceError) {
    try run(object, mask, statement)
    if statement.changes != 1 { try writeMerged(object, mask, statement) }
  }

  @inline(__always)
  private func run(_ object: ManagedObject, _ mask: UInt64, _ statement: Statement) throws(PersistenceError) {
    arena.pointee.reset()
    _ = statement.bind(object._id, at: 1)
    _ = statement.bind(Int64(object._version), at: 2)
    _ = statement.bind(Int64(object._version &+ 1), at: 3)
    var index: Int32 = 4
    try bind(mask, of: object, to: statement, from: &index)
    do { try statement.run() } catch { throw named(error, object) }
  }

  /// Binds the attributes of a mask.
  @inline(__always)
  private func bind(
    _ mask: UInt64, of object: ManagedObject, to statement: Statement, from index: inout Int32
  ) throws(PersistenceError) {
    var rest = mask
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      let code = bind(slot, of: object, to: statement, at: index)
      if code != Statement.bound { throw unstorable(slot, of: object, statement.failure(code)) }
      index &+= 1
      rest &= rest &- 1
    }
  }

  /// Somebody else has changed the row.
  @inline(never)
  private func writeMerged(_ object: ManagedObject, _ mask: UInt64, _ statement: Statement) throws(PersistenceError) {
    guard try merge(object) else { return }
    try run(object, mask, statement)
    if statement.changes != 1 { throw .conflict(Conflict(kind: .changed, type: entity.name, id: object._id)) }
  }

  func writeInserts() throws(PersistenceError) {
    guard changes.writtenInserts < changes.inserted.count else { return }
    let single = try space.connection.statement(statements.insert)
    let objects = changes.inserted[changes.writtenInserts...].filter { $0._state & ObjectState.deleted == 0 }
    var first = 0
    if objects.count >= TableStatements.batch {
      let batch = try space.connection.statement(statements.insertBatch)
      while first + TableStatements.batch <= objects.count {
        try insert(objects[first..<first + TableStatements.batch], by: batch, orBy: single)
        first += TableStatements.batch
      }
    }
    for object in objects[first...] { try insert(object, by: single) }
    for object in objects { object._state |= ObjectState.written }
    changes.writtenInserts = changes.inserted.count
  }

  @inline(__always)
  private func insert(
    _ objects: ArraySlice<ManagedObject>, by batch: Statement, orBy single: Statement
  ) throws(PersistenceError) {
    arena.pointee.reset()
    var index: Int32 = 1
    for object in objects { try bindRow(of: object, to: batch, from: &index) }
    do {
      try batch.run()
    } catch {
      // SQLite has undone the whole statement. One by one, the row that is refused gives its name.
      guard case .database(let cause) = error, cause.isConstraint else { throw error }
      for object in objects { try insert(object, by: single) }
    }
  }

  private func insert(_ object: ManagedObject, by single: Statement) throws(PersistenceError) {
    arena.pointee.reset()
    var index: Int32 = 1
    try bindRow(of: object, to: single, from: &index)
    do { try single.run() } catch { throw named(error, object) }
  }

  @inline(__always)
  private func bindRow(
    of object: ManagedObject, to statement: Statement, from index: inout Int32
  ) throws(PersistenceError) {
    _ = statement.bind(object._id, at: index)
    index &+= 1
    for slot in 0..<layouts.count {
      let code = bind(slot, of: object, to: statement, at: index)
      if code != Statement.bound { throw unstorable(slot, of: object, statement.failure(code)) }
      index &+= 1
    }
  }

  /// A violated constraint, with the names of the model.
  private func named(_ error: PersistenceError, _ object: ManagedObject) -> PersistenceError {
    named(error, id: object._id)
  }

  func named(_ error: PersistenceError, id: Int64) -> PersistenceError {
    guard case .database(let cause) = error, cause.isUniqueness else { return error }
    // SQLite writes "UNIQUE constraint failed: Movie.remoteID, Movie.year".
    let names = cause.message.split(separator: ":", maxSplits: 1).last ?? ""
    let attributes = names.split(separator: ",").compactMap { name -> String? in
      let column = name.trimmingPrefix { $0 == " " }.dropFirst(entity.name.count + 1)
      return entity.columns.first { $0.name == column }?.property
    }
    return .notUnique(UniquenessViolation(type: entity.name, attributes: attributes, id: id))
  }
}
