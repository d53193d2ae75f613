internal import Foundation

extension ObjectSpace {
  /// Returns the registries with pending deletions, those of referring tables before those they refer to. In any other
  /// order, foreign keys would be temporarily violated, and SQLite counts violations row by row.
  func registriesWithDeletions() -> ContiguousArray<EntityRegistry> {
    var rest = registries.filter { $0.changes.writtenDeletes < $0.changes.deleted.count }
    var ordered: ContiguousArray<EntityRegistry> = []
    while rest.count > 1 {
      // In a cycle some keys are temporarily violated whatever the order is, so take the first registry.
      let next = rest.firstIndex { registry in
        !rest.contains { $0 !== registry && $0.entity.references.contains { $0?.target === registry.entity } }
      }
      ordered.append(rest.remove(at: next ?? 0))
    }
    return ordered + rest
  }
}

extension EntityRegistry {
  func writeDeletes() throws(PersistenceError) {
    guard changes.writtenDeletes < changes.deleted.count else { return }
    var gone: ContiguousArray<ManagedObject> = []
    for object in changes.deleted[changes.writtenDeletes...] {
      let isUnwritten = object._state & (ObjectState.fresh | ObjectState.written) == ObjectState.fresh
      if !isUnwritten { gone.append(object) }
    }
    if !zip(gone, gone.dropFirst()).allSatisfy({ $0._id < $1._id }) { gone.sort { $0._id < $1._id } }
    var first = 0
    while first < gone.count {
      // A single statement deletes consecutive ids of the same version.
      var last = first
      while last + 1 < gone.count, gone[last + 1]._id == gone[last]._id + 1,
        gone[last + 1]._version == gone[first]._version
      {
        last += 1
      }
      let run = gone[first...last]
      let deleted = try deleteRun(run[first]._id...run[last]._id, run[first]._version)
      if deleted.count != run.count { try deleteChanged(run.filter { !deleted.contains($0._id) }) }
      first = last + 1
    }
    changes.writtenDeletes = changes.deleted.count
    runningImport?.recordExternalWrites(-gone.count)
  }

  /// Returns the ids of the rows that have been deleted: the others are not at the version.
  private func deleteRun(_ ids: ClosedRange<Int64>, _ version: UInt32) throws(PersistenceError) -> Set<Int64> {
    let isOne = ids.lowerBound == ids.upperBound
    let statement = try space.connection.statement(
      statements.deleteRun + (isOne ? "" : " RETURNING \(SQL.name(SQL.id))"))
    _ = statement.bind(ids.lowerBound, at: 1)
    _ = statement.bind(ids.upperBound, at: 2)
    _ = statement.bind(Int64(version), at: 3)
    if isOne {
      try statement.run()
      return statement.changes == 1 ? [ids.lowerBound] : []
    }
    var deleted: Set<Int64> = []
    while try statement.step() { deleted.insert(statement.int64(0)) }
    return deleted
  }

  func writeUpdates(isLast: Bool) throws(PersistenceError) {
    var hasFreed = false
    while changes.writtenUpdates < changes.updates.count {
      try writeUpdate(changes.writtenUpdates, &hasFreed, isLast: isLast)
      changes.writtenUpdates += 1
    }
  }

  private func writeUpdate(_ index: Int, _ hasFreed: inout Bool, isLast: Bool) throws(PersistenceError) {
    let update = changes.updates[index]
    let object = update.object
    let isUnwritten = object._state & (ObjectState.fresh | ObjectState.written) == ObjectState.fresh
    if isUnwritten || object._state & ObjectState.deleted != 0 { return }
    do {
      try write(update)
    } catch {
      guard case .notUnique = error else { throw error }
      try writeContested(index, error, &hasFreed, isLast: isLast)
    }
    object._version &+= 1
    changes.updates[index].writes = 1
  }

  /// - Parameter contested: The slots that get a placeholder in place of their value.
  @inline(__always)
  func write(_ update: PendingChanges.Update, placeholdersFor contested: SlotSet = SlotSet()) throws(PersistenceError) {
    let statement = try space.connection.statement(statements.update(update.mask, restoring: update.restored, entity))
    let (object, mask) = (update.object, update.mask.union(update.restored))
    try run(object, mask, statement, contested)
    if statement.changes != 1 { try writeMerged(object, mask, statement, contested) }
  }

  @inline(__always)
  private func run(
    _ object: ManagedObject, _ mask: SlotSet, _ statement: Statement, _ contested: SlotSet
  ) throws(PersistenceError) {
    arena.pointee.reset()
    _ = statement.bind(object._id, at: 1)
    _ = statement.bind(Int64(object._version), at: 2)
    _ = statement.bind(Int64(object._version &+ 1), at: 3)
    var index: Int32 = 4
    try bind(mask, of: object, to: statement, from: &index)
    if !contested.isEmpty { try bindPlaceholders(contested, among: mask, of: object, to: statement, from: 4) }
    do { try statement.run() } catch { throw named(error, object) }
  }

  /// Binds the attributes in a mask.
  @inline(__always)
  private func bind(
    _ mask: SlotSet, of object: ManagedObject, to statement: Statement, from index: inout Int32
  ) throws(PersistenceError) {
    for slot in mask {
      let code = bind(slot, of: object, to: statement, at: index)
      if code != Statement.bound { throw unstorable(slot, of: object, statement.failure(code)) }
      index &+= 1
    }
  }

  /// Merges and writes a row that another connection has changed.
  @inline(never)
  private func writeMerged(
    _ object: ManagedObject, _ mask: SlotSet, _ statement: Statement, _ contested: SlotSet
  ) throws(PersistenceError) {
    guard try merge(object) else { return }
    try run(object, mask, statement, contested)
    if statement.changes != 1 { throw .conflict(MergeConflict(kind: .changed, type: entity.name, id: object._id)) }
  }

  func writeInserts(isLast: Bool) throws(PersistenceError) {
    guard changes.writtenInserts < changes.inserted.count else { return }
    let single = try space.connection.statement(statements.insert)
    let pending = changes.inserted[changes.writtenInserts...]
    // Inserted objects are rarely deleted again. If none was, use the list without copying it.
    let isWhole = pending.allSatisfy { $0._state & ObjectState.deleted == 0 }
    let objects = isWhole ? pending : pending.filter { $0._state & ObjectState.deleted == 0 }[...]
    var first = objects.startIndex
    if objects.count >= TableStatements.batch {
      let batch = try space.connection.statement(statements.insertBatch)
      while first + TableStatements.batch <= objects.endIndex {
        try insert(objects[first..<first + TableStatements.batch], by: batch, orBy: single, isLast: isLast)
        first += TableStatements.batch
      }
    }
    for object in objects[first...] { try insert(object, by: single, isLast: isLast) }
    if changes.hasReturned { try writeReturned(objects.filter { $0._state & ObjectState.returned != 0 }) }
    for object in objects { object._state |= ObjectState.written }
    runningImport?.recordExternalWrites(objects.count)
    changes.writtenInserts = changes.inserted.count
  }

  @inline(__always)
  private func insert(
    _ objects: ArraySlice<ManagedObject>, by batch: Statement, orBy single: Statement, isLast: Bool
  ) throws(PersistenceError) {
    arena.pointee.reset()
    var index: Int32 = 1
    for object in objects { try bindRow(of: object, to: batch, from: &index) }
    do {
      try batch.run()
    } catch {
      // SQLite has undone the whole statement. Inserting one by one identifies the row at fault.
      guard case .database(let cause) = error, cause.isConstraint else { throw error }
      for object in objects { try insert(object, by: single, isLast: isLast) }
    }
  }

  private func insert(_ object: ManagedObject, by single: Statement, isLast: Bool) throws(PersistenceError) {
    arena.pointee.reset()
    var index: Int32 = 1
    try bindRow(of: object, to: single, from: &index)
    do {
      try single.run()
    } catch {
      let error = named(error, object)
      guard case .notUnique = error, !isLast else { throw error }
      try insertContested(object, by: single, error)
    }
  }

  @inline(__always)
  func bindRow(
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

  /// Names the class and attributes of a violated constraint.
  func named(_ error: PersistenceError, _ object: ManagedObject) -> PersistenceError {
    if case .database(let cause) = error, cause.isPrimaryKey, object._state & ObjectState.returned == 0 { releaseIDs() }
    return named(error, id: object._id)
  }

  func named(_ error: PersistenceError, id: Int64) -> PersistenceError {
    guard case .database(let cause) = error, cause.isUniqueness else { return error }
    // The id came with a change set from elsewhere.
    if cause.isPrimaryKey { return .conflict(MergeConflict(kind: .changed, type: entity.name, id: id)) }
    // SQLite writes "UNIQUE constraint failed: Movie.remoteID, Movie.year". Names themselves may contain commas and
    // dots.
    let index = entity.indexes.first { index in
      let names = index.parts.map { "\(entity.name).\(entity.name(of: $0))" }
      return index.isUnique && cause.message == "UNIQUE constraint failed: " + names.joined(separator: ", ")
    }
    let attributes = index?.slots.map { entity.columns[$0].property } ?? []
    return .notUnique(UniquenessViolation(type: entity.name, attributes: attributes, id: id))
  }
}
