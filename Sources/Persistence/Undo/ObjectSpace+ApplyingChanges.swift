extension ObjectSpace {
  /// Applies the changes in a change set, either to the store in which they were made or to a different store. To undo
  /// the changes, apply the change set's ``ChangeSet/inverted`` property. The enclosing `persist` call saves the
  /// result.
  ///
  /// Before an attribute is changed, its current value is compared with the values in the change set. If the current
  /// value is neither the old nor the new value, the context's ``MergePolicy`` determines the result. Delete rules are
  /// not applied, because the change set already contains their effects.
  ///
  /// Change sets of previews and of contexts with an undo limit contain the order of ordered relationships, and it is
  /// applied, even if the members were reordered since. Members that the change set does not name come last. Other
  /// change sets do not contain it.
  ///
  /// Inserted objects have the ids that the change set contains for them, whether the objects are being restored or
  /// come from a different store. Once the objects are saved, their ids are never assigned to new objects. If another
  /// context has already created an object with one of these ids, the later of the two saves throws
  /// ``PersistenceError/conflict(_:)``.
  ///
  /// - Throws: ``PersistenceError/conflict(_:)`` if an object to insert already exists, if an object to update or
  ///   delete has been changed in the meantime or no longer exists, or if the change set does not list every change. Do
  ///   not catch this error inside the `persist` closure: when the closure throws it, the enclosing `persist` call
  ///   fails and rolls back the changes that were already applied.
  public func apply(_ changes: ChangeSet) throws(PersistenceError) {
    guard isIsolated else { throw .wrongContext }
    // Fetched together and retained before anything changes. A fetch in between would write the changes made so far,
    // and a unique value could then not move from one object to another.
    var held: [ContiguousArray<ManagedObject>] = []
    for changes in changes.entities {
      // The change set may come from a container that numbers its classes differently.
      let registry = try registry(of: changes.entity.type)
      let ids = changes.rows.map(\.id)
      // Only a relationship that a change unloads may retain an object.
      held.append(ContiguousArray(ids.compactMap { registry.map.object($0) }))
      held.append(try registry.fetch(ids.filter { registry.map.object($0) == nil }))
    }
    try withExtendedLifetime(held) { () throws(PersistenceError) in
      for changes in changes.entities { try registry(of: changes.entity.type).apply(changes) }
    }
    for link in changes.links { try apply(link, of: changes.schema) }
    observed?.notify()
  }

  private func apply(_ link: LinkChange, of other: Schema) throws(PersistenceError) {
    let change: PendingLinks.Change
    let join: JoinTable
    switch link {
    case .added(let index, let first, let second):
      join = try ownJoin(other.joins[index])
      change = .add(join, first: first, second: second)
    case .removed(let index, let first, let second):
      join = try ownJoin(other.joins[index])
      change = .remove(join, first: first, second: second)
    case .reordered(let entity, let relation, let owner, let orders):
      if let orders { try apply(orders, to: other.entities[entity].toMany[relation], of: owner) }
      return
    case .all(let index):
      throw .conflict(MergeConflict(kind: .incompleteChangeSet, type: other.joins[index].name, id: nil))
    }
    links.append(change)
    for relationship in schema.sides(of: join) { unload(relationship) }
  }
}

extension ObjectSpace {
  private func apply(_ orders: MemberOrders, to other: Relationship, of owner: Int64) throws(PersistenceError) {
    let registry = try registry(of: other.entity.type)
    let known = registry.map.object(owner)
    // A deleted owner has no members.
    guard let relation = registry.entity.toMany.firstIndex(where: { $0.property == other.property }),
      let owner = known == nil ? try registry.fetch(owner) : known, !owner.isDeleted
    else { return }
    registry.arrangeMembers(of: owner, relation: relation, as: "undo") { members in
      guard let ids = orders.arranged(members.map(\._id)) else { return }
      let known = Dictionary(members.map { ($0._id, $0) }) { first, _ in first }
      members = ContiguousArray(ids.compactMap { known[$0] })
    }
  }

  private func ownJoin(_ other: JoinTable) throws(PersistenceError) -> JoinTable {
    guard let own = schema.joins.first(where: { $0.name == other.name }) else { throw .notInSchema(type: other.name) }
    return own
  }
}

extension EntityRegistry {
  fileprivate func apply(_ set: EntityChanges) throws(PersistenceError) {
    if set.isWhole { throw .conflict(MergeConflict(kind: .incompleteChangeSet, type: entity.name, id: nil)) }
    try withhold(set.rows.lazy.filter { $0.kind == .inserted }.map(\.id))
    for row in set.rows {
      guard set.isTold(row) else {
        throw .conflict(MergeConflict(kind: .incompleteChangeSet, type: entity.name, id: row.id))
      }
      switch (row.kind, map.object(row.id)) {
      case (.inserted, nil): try insert(row, of: set)
      case (.inserted, _): throw .conflict(MergeConflict(kind: .changed, type: entity.name, id: row.id))
      case (_, nil): throw .conflict(MergeConflict(kind: .deleted, type: entity.name, id: row.id))
      case (.updated, let object?): try update(object, row, of: set)
      case (.deleted, let object?): try delete(object, row, of: set)
      }
    }
    // Their members may have changed.
    for relationship in entity.relationships where relationship.declaration.slot != nil {
      space.unload(relationship.inverse)
    }
  }

  /// Inserts an object under the id that it had.
  private func insert(_ row: RowChange, of set: EntityChanges) throws(PersistenceError) {
    let object = try insert(row.id, as: entity.type)
    object._state |= ObjectState.returned
    changes.hasReturned = true
    for slot in layouts.indices {
      guard let value = set.values(slot, of: row)?.new, assign(value, to: slot, of: object) else {
        throw .conflict(MergeConflict(kind: .incompleteChangeSet, type: entity.name, id: row.id))
      }
    }
  }

  private func update(_ object: ManagedObject, _ row: RowChange, of set: EntityChanges) throws(PersistenceError) {
    var conflicts: [AttributeConflict] = []
    for slot in set.slots(of: row) {
      guard let values = set.values(slot, of: row) else { continue }
      let current = value(slot, of: object)
      var new = values.new
      if !current.isSame(as: values.old) && !current.isSame(as: new) {
        let conflict = AttributeConflict(
          type: entity.name, id: row.id, attribute: entity.columns[slot].property, base: values.old, mine: new,
          theirs: current)
        switch space.mergePolicy.choice(about: conflict) {
        case .report:
          conflicts.append(conflict)
          continue
        case .mine: break
        case .theirs: continue
        case .value(let value): new = value
        }
      }
      if !object._changed.contains(slot), !willChange(object, slot) { throw .wrongContext }
      guard assign(new, to: slot, of: object) else {
        throw .conflict(MergeConflict(kind: .incompleteChangeSet, type: entity.name, id: row.id))
      }
    }
    if !conflicts.isEmpty {
      throw .conflict(MergeConflict(kind: .changed, type: entity.name, id: row.id, attributes: conflicts))
    }
  }

  private func delete(_ object: ManagedObject, _ row: RowChange, of set: EntityChanges) throws(PersistenceError) {
    let isAsTold = layouts.indices.allSatisfy { slot in
      set.values(slot, of: row).map { $0.old.isSame(as: value(slot, of: object)) } ?? true
    }
    guard isAsTold || space.mergePolicy.prefersMine else {
      throw .conflict(MergeConflict(kind: .changed, type: entity.name, id: row.id))
    }
    unloadRelationships(of: object)
    markDeleted(object)
  }
}
