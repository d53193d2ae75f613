/// Updates objects in memory after a commit from elsewhere.
extension EntityRegistry {
  /// Updates unchanged objects with the new values, and deletes those whose rows were deleted. Objects with their own
  /// changes are left for the save.
  ///
  /// - Returns: The ids of objects whose rows must be read again: their new values are not included, or an earlier
  ///   change was missed.
  func receive(_ set: EntityChanges) -> ContiguousArray<Int64> {
    let dirty = dirtyObjects()
    if set.isWhole {
      changes.missed.formUnion(changes.idsOfChanged)
      return ContiguousArray(
        map.objects().lazy.filter {
          $0._isStored && $0._changed.isEmpty && dirty?.contains(ObjectIdentifier($0)) != true
        }.map(\._id))
    }
    var unknown: ContiguousArray<Int64> = []
    lazy var deleted = Set(changes.deleted.lazy.map(\._id))
    for row in set.rows {
      // An id reserved here arrives in a change set, from this store or another.
      if row.kind == .inserted { ids.withhold(row.id) }
      if !changes.deleted.isEmpty, deleted.contains(row.id) { changes.missed.insert(row.id) }
      guard row.kind != .inserted || row.carried.isEmpty, let object = map.object(row.id) else { continue }
      if !object._changed.isEmpty || !object._isStored || dirty?.contains(ObjectIdentifier(object)) == true {
        changes.missed.insert(row.id)
        continue
      }
      if row.kind == .deleted {
        forgetDeleted(object)
      } else if row.version == 0 || object._version != row.base {
        // An object read after the commit is already up to date. Versions from different lives cannot be compared,
        // because the numbers may have started over.
        let isAhead = row.version != 0 && object._version &- row.version < StoreFormat.versionsOfLife
        if !isAhead { unknown.append(row.id) }
      } else if take(row, of: set, into: object) {
        object._version = row.version
      } else {
        unknown.append(row.id)
      }
    }
    return unknown
  }

  @inline(__always) private func take(_ row: RowChange, of set: EntityChanges, into object: ManagedObject) -> Bool {
    // The values are in the order of the slots, with two values per included slot.
    var index = row.start + 1
    for slot in row.carried {
      if row.mask.contains(slot), !assign(set.values[index], to: slot, of: object) { return false }
      index += 2
    }
    return true
  }

  /// Returns the objects whose changes were frozen for saving, or nil if there are none.
  func dirtyObjects() -> Set<ObjectIdentifier>? {
    changes.updates.isEmpty ? nil : Set(changes.updates.lazy.map { ObjectIdentifier($0.object) })
  }

  /// Marks an object as deleted because its row is gone.
  func forgetDeleted(_ object: ManagedObject) {
    unloadRelationships(of: object)
    object._state |= ObjectState.deletedElsewhere
    detach(object)
  }

  /// Reads rows again that others have changed while their objects had changes, if they have none now.
  func refreshMissed() throws(PersistenceError) {
    let changed = changes.idsOfChanged
    let ids = ContiguousArray(changes.missed.subtracting(changed).lazy.filter { self.map.object($0) != nil })
    if !ids.isEmpty {
      do throws(PersistenceError) {
        try refresh(ids)
      } catch .invalidValue {
        for id in ids { try refreshIfReadable(id) }
      }
    }
    changes.missed.formIntersection(changed)
  }

  /// A value that cannot be read concerns only its object. The next bulk operation may repair it.
  func refreshIfReadable(_ id: Int64) throws(PersistenceError) {
    do { try refresh([id]) } catch {
      if case .invalidValue = error { return }
      throw error
    }
  }

  /// Reads the rows of objects again. Objects without a row are deleted.
  func refresh(_ ids: ContiguousArray<Int64>) throws(PersistenceError) {
    try space.beginReading()
    let statement = try space.connection.statement(statements.byIDs)
    _ = statement.bind(.text(SQL.json(ids)), at: 1)
    var found: Set<Int64> = []
    _ = try rows(of: statement) { found.insert($0._id) }
    for id in ids where !found.contains(id) {
      guard let object = map.object(id), object._changed.isEmpty, object._isStored else { continue }
      if !changes.hasUpdates(of: object) { forgetDeleted(object) }
    }
  }
}

extension ObjectSpace {
  /// Notifies `listener` of commits by others from now on, for as long as the space lives.
  func listen(by listener: CommitListener, first isFirst: Bool = false) {
    self.listener = listener
    store.commits.add(listener, first: isFirst)
  }

  /// Applies a commit from elsewhere to the objects in memory.
  func receive(_ set: ChangeSet) {
    var unknown: [(EntityRegistry, ContiguousArray<Int64>)] = []
    for changes in set.entities {
      let registry = registry(of: changes.entity)
      let ids = registry.receive(changes)
      if !ids.isEmpty { unknown.append((registry, ids)) }
    }
    unloadRelationships(changedBy: set)
    if observed != nil { noteMembers(changedBy: set) }
    // A save notifies when it is over.
    defer { if unit.phase == .idle { observed?.notify() } }
    // Also what a rollback could not read.
    let outdated = registries.filter { !$0.changes.missed.isEmpty }
    guard !unknown.isEmpty || !outdated.isEmpty else { return }
    let outer = unit.phase
    unit.phase = .performing
    defer {
      endTransaction()
      unit.phase = outer
    }
    do {
      for (registry, ids) in unknown { try registry.refresh(ids) }
      for registry in outdated { try registry.refreshMissed() }
    } catch {
      // The next fetch reads the new values, or throws.
    }
  }

  /// Notes the to-many relationships whose members, or their order, a commit has changed.
  private func noteMembers(changedBy set: ChangeSet) {
    for relationship in registries.lazy.flatMap(\.entity.toMany) {
      if let owners = set.owners(of: relationship) {
        for owner in owners { noteMembers(relationship, of: owner) }
      } else {
        noteMembers(relationship)
      }
    }
  }

  /// Unloads to-many relationships whose members may have changed.
  private func unloadRelationships(changedBy set: ChangeSet) {
    self.answers.removeAll()
    guard !loaded.entries.isEmpty else { return }
    var answers: [ObjectIdentifier: Bool] = [:]
    for entry in loaded.entries {
      let relationship = entry.relationship
      let isChanged = answers[ObjectIdentifier(relationship)] ?? set.changes(relationship)
      answers[ObjectIdentifier(relationship)] = isChanged
      if isChanged, let owner = registry(of: relationship.entity).map.object(entry.owner) {
        registry(of: relationship.entity).unload(relationship, of: owner)
      }
    }
  }
}

extension ChangeSet {
  /// The owners whose members of a to-many relationship, or their order, have changed, or nil if they are not known.
  fileprivate func owners(of relationship: Relationship) -> Set<Int64>? {
    var owners: Set<Int64> = []
    for link in links {
      switch (link, relationship.storage) {
      case (.reordered(relationship.entity.index, relationship.declaration.relation, let owner, _), _):
        owners.insert(owner)
      case (.added(let index, let first, let second), .join(let join, let own, _)) where index == join.index,
        (.removed(let index, let first, let second), .join(let join, let own, _)) where index == join.index:
        owners.insert(own == join.first ? first : second)
      case (.all(let index), .join(let join, _, _)) where index == join.index: return nil
      default: break
      }
    }
    guard case .inverseColumn(let slot) = relationship.storage, let changes = changes(of: relationship.target) else {
      return owners
    }
    if changes.isWhole { return nil }
    for row in changes.rows where row.kind != .updated || row.mask.contains(slot) {
      guard let values = changes.values(slot, of: row) else { return nil }
      for case .integer(let owner) in [values.old, values.new] { owners.insert(owner) }
    }
    return owners
  }

  /// Whether the members of a to-many relationship, or their order, may have changed.
  fileprivate func changes(_ relationship: Relationship) -> Bool {
    let isReordered = links.contains { link in
      guard case .reordered(let entity, let relation, _, _) = link else { return false }
      return entity == relationship.entity.index && relation == relationship.declaration.relation
    }
    if isReordered { return true }
    switch relationship.storage {
    case .column: return false
    case .inverseColumn(let slot):
      guard let changes = changes(of: relationship.target) else { return false }
      return changes.isWhole
        || changes.rows.contains { $0.kind != .updated || $0.mask.contains(slot) }
    case .join(let join, _, _):
      return links.contains { link in
        switch link {
        case .added(let index, _, _), .removed(let index, _, _), .all(let index): index == join.index
        case .reordered: false
        }
      }
    }
  }
}
