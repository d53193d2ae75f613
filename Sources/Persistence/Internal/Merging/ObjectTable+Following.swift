/// After a commit of somebody else: objects in memory take what it has changed.
extension ObjectTable {
  /// Clean objects take the new values, and are deleted with their rows; those with changes of their own are left for
  /// the save.
  ///
  /// - Returns: the objects whose rows must be read: what happened to them is not told, or something else before it was
  ///   missed.
  func follow(_ set: EntityChanges) -> ContiguousArray<Int64> {
    if set.isWhole { return ContiguousArray(map.objects().lazy.filter { $0._state == 0 }.map(\._id)) }
    var unknown: ContiguousArray<Int64> = []
    let dirty = dirtyObjects()
    for row in set.rows {
      // One of those that are reserved here comes from a change set, of this store or of another.
      if row.kind == .inserted { ids.withhold(row.id) }
      guard row.kind != .inserted || row.carried.isEmpty, let object = map.object(row.id) else { continue }
      if !object._changed.isEmpty || object._state != 0 || dirty?.contains(ObjectIdentifier(object)) == true {
        continue
      }
      if row.kind == .deleted {
        forgetDeleted(object)
      } else if row.version == 0 || object._version != row.base {
        // One that was read after the commit has it already. Versions of other lives tell nothing: they may have begun
        // anew.
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
    // Values come in the order of the slots, two for each that is carried.
    var place = row.start + 1
    for slot in row.carried {
      if row.mask.contains(slot), !assign(set.values[place], to: slot, of: object) { return false }
      place += 2
    }
    return true
  }

  /// Objects with changes that were put aside for saving; nil if there are none.
  func dirtyObjects() -> Set<ObjectIdentifier>? {
    changes.updates.isEmpty ? nil : Set(changes.updates.lazy.map { ObjectIdentifier($0.object) })
  }

  /// The row is gone.
  func forgetDeleted(_ object: ManagedObject) {
    unloadRelationships(of: object)
    object._state |= ObjectState.deletedElsewhere
    detach(object)
  }

  /// Reads the rows of objects again; those without a row are deleted.
  func refresh(_ ids: ContiguousArray<Int64>) throws(PersistenceError) {
    try space.beginReading()
    let statement = try space.connection.statement(statements.byIDs)
    _ = statement.bind(.text(SQL.json(ids)), at: 1)
    var found: Set<Int64> = []
    _ = try rows(of: statement) { found.insert($0._id) }
    for id in ids where !found.contains(id) {
      if let object = map.object(id), object._changed.isEmpty, object._state == 0 { forgetDeleted(object) }
    }
  }
}

extension ObjectSpace {
  /// From here on `relay` hears of what others commit, for as long as the space lives.
  func follow(_ relay: CommitRelay, first isFirst: Bool = false) {
    feed = relay
    store.commits.add(relay, first: isFirst)
  }

  /// Takes what somebody else has committed into the objects in memory.
  func follow(_ set: ChangeSet) {
    var unknown: [(ObjectTable, ContiguousArray<Int64>)] = []
    for changes in set.entities {
      let table = table(of: changes.entity)
      let ids = table.follow(changes)
      if !ids.isEmpty { unknown.append((table, ids)) }
    }
    unloadRelationships(changedBy: set)
    guard !unknown.isEmpty else { return }
    let outer = unit.phase
    unit.phase = .performing
    defer {
      endTransaction()
      unit.phase = outer
    }
    do {
      for (table, ids) in unknown { try table.refresh(ids) }
    } catch {
      // The next fetch takes the new values, or throws.
    }
  }

  /// Lets go of to-many relationships whose members may be others now.
  private func unloadRelationships(changedBy set: ChangeSet) {
    guard !loaded.entries.isEmpty else { return }
    var answers: [ObjectIdentifier: Bool] = [:]
    for entry in loaded.entries {
      let relationship = entry.relationship
      let isChanged = answers[ObjectIdentifier(relationship)] ?? set.changes(relationship)
      answers[ObjectIdentifier(relationship)] = isChanged
      if isChanged, let owner = table(of: relationship.entity).map.object(entry.owner) {
        table(of: relationship.entity).unload(relationship, of: owner)
      }
    }
  }
}

extension ChangeSet {
  /// Whether a to-many relationship may have other members, or another order.
  fileprivate func changes(_ relationship: Relationship) -> Bool {
    let isReordered = links.contains { link in
      guard case .reordered(let entity, let relation, _) = link else { return false }
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
