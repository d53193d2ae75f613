/// Merges objects during a save if another context has changed their rows since they were read.
extension EntityRegistry {
  /// Merges the changes of others into an object that is about to be written, and rebases the object's own changes on
  /// the current row. A rollback then also leads to that row. Returns false if the row, and with it the object, is
  /// gone.
  func merge(_ object: ManagedObject) throws(PersistenceError) -> Bool {
    let statement = try space.connection.statement(statements.byID)
    _ = statement.bind(object._id, at: 1)
    guard try statement.step() else { return try mergeDeletion(of: object) }
    var theirs = layouts.indices.map { statement.value(Int32($0) + 1) }
    let version = UInt32(truncatingIfNeeded: statement.int64(Int32(layouts.count) + 1))
    statement.reset()
    for (slot, stored) in theirs.enumerated() where !entity.columns[slot].isReadable(stored) {
      // Without a replacement, a policy that prefers the own value can still overwrite it.
      if let value = try? replacement(for: stored, slot, id: object._id) { theirs[slot] = value }
    }
    let firsts = firstUndos(of: object)
    let slots = layouts.indices.map { slot in
      let mine = value(slot, of: object)
      return ThreeWayMerge.Slot(
        base: firsts[slot].map { changes.overwrites[$0].old } ?? mine, mine: mine, theirs: theirs[slot],
        isDirty: firsts[slot] != nil, increment: firsts[slot] == nil ? nil : changes.increment(of: object, slot))
    }
    let policy = space.mergePolicy
    let merge = ThreeWayMerge(slots, decidesAboutEqualValues: policy.decidesAboutEqualValues) { slot, values in
      AttributeConflict(
        type: entity.name, id: object._id, attribute: entity.columns[slot].property, base: values.base,
        mine: values.mine, theirs: values.theirs)
    } choose: {
      policy.choice(about: $0)
    }
    guard merge.conflicts.isEmpty else {
      throw .conflict(MergeConflict(kind: .changed, type: entity.name, id: object._id, attributes: merge.conflicts))
    }
    for (slot, value) in merge.assigned where !assign(value, to: slot, of: object) {
      let values = slots[slot]
      let conflict = AttributeConflict(
        type: entity.name, id: object._id, attribute: entity.columns[slot].property, base: values.base,
        mine: values.mine, theirs: values.theirs)
      throw .conflict(MergeConflict(kind: .changed, type: entity.name, id: object._id, attributes: [conflict]))
    }
    for (slot, index) in firsts {
      changes.overwrites[index] = .init(object: changes.overwrites[index].object, slot: Int32(slot), old: theirs[slot])
      changes.rebaseIncrements(of: object, slot, on: theirs[slot])
    }
    object._version = version
    changes.merged.insert(object._id)
    // Other objects' foreign keys may have changed its members, and this object's own may have made it a member
    // elsewhere.
    unloadRelationships(of: object)
    for (slot, _) in merge.assigned {
      if let inverse = entity.references[slot]?.inverse, inverse.isToMany { space.unload(inverse) }
    }
    return true
  }

  private func mergeDeletion(of object: ManagedObject) throws(PersistenceError) -> Bool {
    guard space.mergePolicy.prefersTheirs else {
      let attributes = firstUndos(of: object).sorted { $0.key < $1.key }.map { slot, index in
        AttributeConflict(
          type: entity.name, id: object._id, attribute: entity.columns[slot].property,
          base: changes.overwrites[index].old,
          mine: value(slot, of: object), theirs: .null)
      }
      throw .conflict(MergeConflict(kind: .deleted, type: entity.name, id: object._id, attributes: attributes))
    }
    // The object may be a member of other objects' relationships.
    for relationship in entity.relationships where relationship.inverse.isToMany { space.unload(relationship.inverse) }
    forgetDeleted(object)
    return false
  }

  /// Returns the position of the oldest recorded value of an object, by slot.
  private func firstUndos(of object: ManagedObject) -> [Int: Int] {
    var firsts: [Int: Int] = [:]
    for index in changes.overwriteIndexes(of: object).reversed() { firsts[Int(changes.overwrites[index].slot)] = index }
    return firsts
  }

  /// Deletes rows that others have changed if the policy allows it. Rows that are already gone need no action. Both are
  /// kept for the change set.
  func deleteChanged(_ objects: some Sequence<ManagedObject>) throws(PersistenceError) {
    for object in objects {
      let row = try space.connection.statement(statements.byID)
      _ = row.bind(object._id, at: 1)
      guard try row.step() else {
        changes.deletedRowsOfOthers[object._id] = .some(nil)
        continue
      }
      let theirs = PendingChanges.StoredRow(
        version: UInt32(truncatingIfNeeded: row.int64(Int32(layouts.count) + 1)),
        values: layouts.indices.map { row.value(Int32($0) + 1) })
      row.reset()
      guard space.mergePolicy.prefersMine else {
        throw .conflict(MergeConflict(kind: .changed, type: entity.name, id: object._id))
      }
      changes.deletedRowsOfOthers[object._id] = theirs
      let delete = try space.connection.statement("DELETE FROM \(entity.table) WHERE \(SQL.name(SQL.id))=?1")
      _ = delete.bind(object._id, at: 1)
      try delete.run()
    }
  }
}
