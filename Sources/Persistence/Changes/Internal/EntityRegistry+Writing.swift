internal import Foundation

extension ObjectSpace {
  /// Returns the tables with pending deletions, with referencing tables before the tables they refer to. In any other
  /// order, foreign keys would be temporarily violated, and SQLite counts violations row by row.
  func tablesWithDeletions() -> ContiguousArray<EntityRegistry> {
    var rest = tables.filter { $0.changes.writtenDeletes < $0.changes.deleted.count }
    var ordered: ContiguousArray<EntityRegistry> = []
    while rest.count > 1 {
      // In a cycle some keys are temporarily violated whatever the order is, so take the first table.
      let next = rest.firstIndex { table in
        !rest.contains { $0 !== table && $0.entity.references.contains { $0?.target === table.entity } }
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
    let statement = try space.connection.statement(statements.deleteRun)
    var first = 0
    while first < gone.count {
      // A single statement deletes consecutive ids of the same version.
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
    importer?.recordExternalWrites(-gone.count)
  }

  /// Writes a single update.
  func writeUpdate(_ index: Int, _ hasFreed: inout Bool, isLast: Bool) throws(PersistenceError) {
    let (object, mask) = (changes.updates[index].object, changes.updates[index].mask)
    guard isWritable(object) else { return }
    let statement = try space.connection.statement(statements.update(mask, entity))
    do {
      try write(object, mask, statement)
    } catch {
      guard case .notUnique = error else { throw error }
      try writeContested(index, error, &hasFreed, isLast: isLast)
    }
    object._version &+= 1
    changes.updates[index].isWritten = true
  }

  /// Handles a unique value that another object has. That object may be about to change it: values can be swapped.
  private func writeContested(
    _ index: Int, _ cause: PersistenceError, _ hasFreed: inout Bool, isLast: Bool
  ) throws(PersistenceError) {
    let object = changes.updates[index].object
    let isFirst = !hasFreed
    hasFreed = true
    if isFirst { includeUniqueValues(from: index) }
    let mask = changes.updates[index].mask
    if isFirst {
      try freeUniqueValues(of: ArraySlice(changes.updates[index...]))
      do {
        return try write(object, mask, try space.connection.statement(statements.update(mask, entity)))
      } catch {
        guard case .notUnique = error, !isLast else { throw error }
      }
    } else if isLast {
      throw cause
    }
    var (cause, contested): (PersistenceError, SlotSet) = (cause, SlotSet())
    while let slot = contestedSlot(cause, among: mask.subtracting(contested)) {
      contested.insert(slot)
      try freeUniqueValues(of: [.init(object: object, mask: contested)])
      let rest = mask.subtracting(contested)
      do {
        try write(object, rest, try space.connection.statement(statements.update(rest, entity)))
        return changes.unsettled.append(.init(object: object, mask: contested, isValidated: true))
      } catch {
        guard case .notUnique = error else { throw error }
        cause = error
      }
    }
    throw cause
  }

  /// Queues updates that were written with placeholders, to be written with their real values if some of these may be
  /// free by now.
  func writeUnsettledAgain(isLast: Bool) {
    let mayBeFree =
      changes.writtenDeletes < changes.deleted.count
      || changes.updates[changes.writtenUpdates...].contains {
        !$0.mask.isDisjoint(with: entity.uniquenessSlots)
      }
    guard isLast || mayBeFree else { return }
    changes.updates.append(contentsOf: changes.unsettled)
    changes.unsettled.removeAll()
  }

  /// Writes unique values again with what decides whether they have to be unique, so that placeholders can take their
  /// place in the meantime.
  private func includeUniqueValues(from first: Int) {
    for unique in entity.indexes where unique.isUnique {
      guard let tested = unique.condition?.slots else { continue }
      for index in first..<changes.updates.count where !changes.updates[index].mask.isDisjoint(with: tested) {
        for slot in unique.slots { changes.updates[index].mask.insert(slot) }
      }
    }
  }

  /// Returns the objects for which the store has a placeholder in place of an attribute's value, by their ids.
  func unsettled(_ slot: Int) -> [Int64: ManagedObject] {
    var objects: [Int64: ManagedObject] = [:]
    for update in changes.unsettled where update.mask.contains(slot) {
      objects[update.object._id] = update.object
    }
    return objects
  }

  /// Replaces each unique value that is about to change with a value that no other object can have. Updates that are
  /// already written keep their new values.
  private func freeUniqueValues(of updates: ArraySlice<PendingChanges.Update>) throws(PersistenceError) {
    for slot in entity.uniqueSlots {
      let column = entity.columns[slot].quoted
      let statement = try space.connection.statement(
        "UPDATE \(entity.table) SET \(column)=CAST('\u{1}free:' || ?1 AS BLOB) "
          + "WHERE \(SQL.name(SQL.id))=?1 AND \(SQL.name(SQL.version))=?2")
      for update in updates where !update.isWritten && update.mask.contains(slot) {
        _ = statement.bind(update.object._id, at: 1)
        // A row that another context has changed does not match: it is merged first.
        _ = statement.bind(Int64(update.object._version), at: 2)
        try statement.run()
      }
    }
  }

  @inline(__always)
  private func write(_ object: ManagedObject, _ mask: SlotSet, _ statement: Statement) throws(PersistenceError) {
    try run(object, mask, statement)
    if statement.changes != 1 { try writeMerged(object, mask, statement) }
  }

  @inline(__always)
  private func run(_ object: ManagedObject, _ mask: SlotSet, _ statement: Statement) throws(PersistenceError) {
    arena.pointee.reset()
    _ = statement.bind(object._id, at: 1)
    _ = statement.bind(Int64(object._version), at: 2)
    _ = statement.bind(Int64(object._version &+ 1), at: 3)
    var index: Int32 = 4
    try bind(mask, of: object, to: statement, from: &index)
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
  private func writeMerged(_ object: ManagedObject, _ mask: SlotSet, _ statement: Statement) throws(PersistenceError) {
    guard try merge(object) else { return }
    try run(object, mask, statement)
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
    importer?.recordExternalWrites(objects.count)
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

  /// Inserts an object with a unique value that another object has, and may be about to change.
  private func insertContested(
    _ object: ManagedObject, by single: Statement, _ cause: PersistenceError
  ) throws(PersistenceError) {
    var (cause, mask): (PersistenceError, SlotSet) = (cause, SlotSet())
    while let slot = contestedSlot(cause, among: SlotSet.everything.subtracting(mask)) {
      mask.insert(slot)
      arena.pointee.reset()
      var index: Int32 = 1
      try bindRow(of: object, to: single, from: &index)
      for slot in mask {
        try single.bind([.blob(EntityRegistry.placeholder(of: object._id))], from: Int32(slot) + 2)
      }
      do {
        try single.run()
        return changes.unsettled.append(.init(object: object, mask: mask, isValidated: true))
      } catch {
        cause = named(error, object)
      }
    }
    throw cause
  }

  /// Returns the attribute to replace with a placeholder so that the index accepts the row. The other attributes keep
  /// their values. A relationship cannot have a placeholder.
  private func contestedSlot(_ cause: PersistenceError, among mask: SlotSet) -> Int? {
    guard case .notUnique(let violation) = cause else { return nil }
    let slots = violation.attributes.lazy.compactMap(entity.column)
    return slots.first { mask.contains($0) && entity.references[$0] == nil }
  }

  /// A value that no object has, in the form that ``freeUniqueValues(of:)`` writes.
  private static func placeholder(of id: Int64) -> Data { Data("\u{1}free:\(id)".utf8) }

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

  /// Names the class and attributes of a violated constraint.
  private func named(_ error: PersistenceError, _ object: ManagedObject) -> PersistenceError {
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
      let names = index.slots.map { "\(entity.name).\(entity.columns[$0].keyName)" }
      return index.isUnique && cause.message == "UNIQUE constraint failed: " + names.joined(separator: ", ")
    }
    let attributes = index?.slots.map { entity.columns[$0].property } ?? []
    return .notUnique(UniquenessViolation(type: entity.name, attributes: attributes, id: id))
  }
}
