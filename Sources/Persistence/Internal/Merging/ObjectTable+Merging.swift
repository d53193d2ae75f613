/// At a save: objects that somebody else has changed since they were read.
extension ObjectTable {
  /// Takes into an object that is about to be written what somebody else has changed in its row, and makes the row's
  /// present state what the object's changes are based on: so also a rollback leads there. False if the row is gone,
  /// and the object with it.
  func merge(_ object: ManagedObject) throws(PersistenceError) -> Bool {
    let statement = try space.connection.statement(statements.byID)
    _ = statement.bind(object._id, at: 1)
    guard try statement.step() else { return try mergeDeletion(of: object) }
    let theirs = layouts.indices.map { statement.value(Int32($0) + 1) }
    let version = UInt32(truncatingIfNeeded: statement.int64(Int32(layouts.count) + 1))
    statement.reset()
    let firsts = firstUndos(of: object)
    let slots = layouts.indices.map { slot in
      let mine = value(slot, of: object)
      return ThreeWayMerge.Slot(
        base: firsts[slot].map { changes.undo[$0].old } ?? mine, mine: mine, theirs: theirs[slot],
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
      throw .conflict(Conflict(kind: .changed, type: entity.name, id: object._id, attributes: merge.conflicts))
    }
    for (slot, value) in merge.assigned where !assign(value, to: slot, of: object) {
      let values = slots[slot]
      let conflict = AttributeConflict(
        type: entity.name, id: object._id, attribute: entity.columns[slot].property, base: values.base,
        mine: values.mine, theirs: values.theirs)
      throw .conflict(Conflict(kind: .changed, type: entity.name, id: object._id, attributes: [conflict]))
    }
    for (slot, index) in firsts {
      changes.undo[index] = .init(object: changes.undo[index].object, slot: Int32(slot), old: theirs[slot])
      changes.rebaseIncrements(of: object, slot, on: theirs[slot])
    }
    object._version = version
    changes.merged.insert(object._id)
    // Members may have come and gone with the foreign keys of others, and it may have come and gone as a member.
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
          type: entity.name, id: object._id, attribute: entity.columns[slot].property, base: changes.undo[index].old,
          mine: value(slot, of: object), theirs: .null)
      }
      throw .conflict(Conflict(kind: .deleted, type: entity.name, id: object._id, attributes: attributes))
    }
    // It may be a member of others'.
    for relationship in entity.relationships where relationship.inverse.isToMany { space.unload(relationship.inverse) }
    forgetDeleted(object)
    return false
  }

  /// By slot, where the oldest value that was kept of an object is.
  private func firstUndos(of object: ManagedObject) -> [Int: Int] {
    var firsts: [Int: Int] = [:]
    for index in changes.undoPlaces(of: object).reversed() { firsts[Int(changes.undo[index].slot)] = index }
    return firsts
  }

  /// Deletes rows that somebody else has changed, if the policy says so. Those that are gone already need nothing.
  func deleteChanged(_ objects: ArraySlice<ManagedObject>) throws(PersistenceError) {
    let version = try space.connection.statement(statements.version)
    for object in objects {
      _ = version.bind(object._id, at: 1)
      guard try version.integer() != nil else { continue }
      guard space.mergePolicy.prefersMine else {
        throw .conflict(Conflict(kind: .changed, type: entity.name, id: object._id))
      }
      let delete = try space.connection.statement("DELETE FROM \(entity.table) WHERE \(SQL.name(SQL.id))=?1")
      _ = delete.bind(object._id, at: 1)
      try delete.run()
    }
  }
}
