internal import Foundation

extension ObjectSpace {
  /// The tables in which there is something to delete, those that refer to others before these: else the foreign keys
  /// would be violated for a while, and SQLite counts that row by row.
  func tablesWithDeletions() -> ContiguousArray<ObjectTable> {
    var rest = tables.filter { $0.changes.writtenDeletes < $0.changes.deleted.count }
    var ordered: ContiguousArray<ObjectTable> = []
    while rest.count > 1 {
      // In a circle some keys are violated for a while whatever the order is, so the first table goes.
      let next = rest.firstIndex { table in
        !rest.contains { $0 !== table && $0.entity.references.contains { $0?.target === table.entity } }
      }
      ordered.append(rest.remove(at: next ?? 0))
    }
    return ordered + rest
  }
}

extension ObjectTable {
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
    importer?.othersHaveWritten(-gone.count)
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

  /// Another object has the value. It may be about to give it away: values can be swapped.
  private func writeContested(
    _ index: Int, _ cause: PersistenceError, _ hasFreed: inout Bool, isLast: Bool
  ) throws(PersistenceError) {
    let (object, mask) = (changes.updates[index].object, changes.updates[index].mask)
    if !hasFreed {
      hasFreed = true
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
    while let slot = contestedSlot(cause), mask.contains(slot), !contested.contains(slot) {
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

  /// What was written with placeholders is to be written once more, with the values, if some may be free by now.
  func writeUnsettledAgain(isLast: Bool) {
    let mayBeFree =
      changes.writtenDeletes < changes.deleted.count
      || changes.updates[changes.writtenUpdates...].contains { !$0.mask.isDisjoint(with: entity.uniqueSlots) }
    guard isLast || mayBeFree else { return }
    changes.updates.append(contentsOf: changes.unsettled)
    changes.unsettled.removeAll()
  }

  /// The objects for whose value of an attribute the store has a placeholder, by their ids.
  func unsettled(_ slot: Int) -> [Int64: ManagedObject] {
    var objects: [Int64: ManagedObject] = [:]
    for update in changes.unsettled where update.mask.contains(slot) {
      objects[update.object._id] = update.object
    }
    return objects
  }

  /// Puts a value that nobody else can have in the place of each unique value that is going to change. Those that are
  /// written hold their new one.
  private func freeUniqueValues(of updates: ArraySlice<PendingChanges.Update>) throws(PersistenceError) {
    for slot in entity.uniqueSlots {
      let column = entity.columns[slot].quoted
      let statement = try space.connection.statement(
        "UPDATE \(entity.table) SET \(column)=CAST('\u{1}free:' || ?1 AS BLOB) "
          + "WHERE \(SQL.name(SQL.id))=?1 AND \(SQL.name(SQL.version))=?2")
      for update in updates where !update.isWritten && update.mask.contains(slot) {
        _ = statement.bind(update.object._id, at: 1)
        // A row that another context has changed is merged first.
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

  /// Binds the attributes of a mask.
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

  /// Somebody else has changed the row.
  @inline(never)
  private func writeMerged(_ object: ManagedObject, _ mask: SlotSet, _ statement: Statement) throws(PersistenceError) {
    guard try merge(object) else { return }
    try run(object, mask, statement)
    if statement.changes != 1 { throw .conflict(Conflict(kind: .changed, type: entity.name, id: object._id)) }
  }

  func writeInserts(isLast: Bool) throws(PersistenceError) {
    guard changes.writtenInserts < changes.inserted.count else { return }
    let single = try space.connection.statement(statements.insert)
    let pending = changes.inserted[changes.writtenInserts...]
    // Hardly ever is one deleted again: without, the list is taken as it is.
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
    importer?.othersHaveWritten(objects.count)
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
      // SQLite has undone the whole statement. One by one, the row that is refused gives its name.
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

  /// Another object has a value of this one, and may be about to give it away.
  private func insertContested(
    _ object: ManagedObject, by single: Statement, _ cause: PersistenceError
  ) throws(PersistenceError) {
    var (cause, mask): (PersistenceError, SlotSet) = (cause, SlotSet())
    while let slot = contestedSlot(cause), !mask.contains(slot) {
      mask.insert(slot)
      arena.pointee.reset()
      var index: Int32 = 1
      try bindRow(of: object, to: single, from: &index)
      for slot in mask {
        try single.bind([.blob(ObjectTable.placeholder(of: object._id))], from: Int32(slot) + 2)
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

  /// The attribute that a placeholder is written to, so that an index has what it wants: the others keep their values.
  /// A relationship cannot have one.
  private func contestedSlot(_ cause: PersistenceError) -> Int? {
    guard case .notUnique(let violation) = cause else { return nil }
    return violation.attributes.lazy.compactMap(entity.column).first { entity.references[$0] == nil }
  }

  /// A value that no object has, as ``freeUniqueValues(of:)`` writes it.
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

  /// A violated constraint, with the names of the model.
  private func named(_ error: PersistenceError, _ object: ManagedObject) -> PersistenceError {
    if case .database(let cause) = error, cause.isPrimaryKey, object._state & ObjectState.returned == 0 { giveUpIDs() }
    return named(error, id: object._id)
  }

  func named(_ error: PersistenceError, id: Int64) -> PersistenceError {
    guard case .database(let cause) = error, cause.isUniqueness else { return error }
    // The id has come along with somebody's change set.
    if cause.isPrimaryKey { return .conflict(Conflict(kind: .changed, type: entity.name, id: id)) }
    // SQLite writes "UNIQUE constraint failed: Movie.remoteID, Movie.year". Names may hold commas and dots of their
    // own.
    let index = entity.indexes.first { index in
      let names = index.slots.map { "\(entity.name).\(entity.columns[$0].keyName)" }
      return index.isUnique && cause.message == "UNIQUE constraint failed: " + names.joined(separator: ", ")
    }
    let attributes = index?.slots.map { entity.columns[$0].property } ?? []
    return .notUnique(UniquenessViolation(type: entity.name, attributes: attributes, id: id))
  }
}
