/// Records the orders that a commit changes, because undo needs them. Each is read from the open transaction before a
/// write changes it, and once more before the commit.
extension ObjectSpace {
  /// Reads the orders that the unwritten changes affect. The changes must be frozen.
  func recordOrders() throws(PersistenceError) {
    guard isRecording, unit.interest.contains(.orders) else { return }
    for change in links.unwritten {
      switch change {
      case .last(let relationship, let owner, _): try recordOrder(of: relationship, owner)
      case .order(let relationship, let owner, _): try recordOrder(of: relationship, owner._id)
      case .remove(let join, let first, let second):
        for relationship in schema.sides(of: join) where relationship.isOrdered {
          try recordOrder(of: relationship, relationship.ownerColumn == SQL.name(join.first) ? first : second)
        }
      case .clear(let join, let column, let id):
        for relationship in schema.sides(of: join) where relationship.isOrdered {
          let isOwner = relationship.ownerColumn == SQL.name(column)
          for owner in isOwner ? [id] : try owners(of: [id], relationship) { try recordOrder(of: relationship, owner) }
        }
      case .add: continue
      }
    }
    for registry in registries {
      for (slot, reference) in registry.entity.references.enumerated() {
        guard let relationship = reference?.inverse, relationship.isOrdered else { continue }
        let ids = registry.changes.unwrittenIDs(changing: slot)
        for owner in ids.isEmpty ? [] : try owners(of: ids, relationship) {
          try recordOrder(of: relationship, owner)
        }
      }
    }
  }

  /// Returns the recorded orders that have changed. All changes must be written.
  func changedOrders() throws(PersistenceError) -> [LinkChange] {
    var changed: [LinkChange] = []
    for (relationship, owner, old) in links.orders {
      let new = try order(of: relationship, owner)
      guard new != old, let relation = relationship.declaration.relation else { continue }
      changed.append(
        .reordered(
          entity: relationship.entity.index, relation: relation, owner: owner, MemberOrders(old: old, new: new)))
    }
    return changed
  }

  /// Whether ``recordOrders(changing:of:rows:)`` has to be called.
  func recordsOrders(changing slots: SlotSet, of entity: Entity) -> Bool {
    isRecording && unit.interest.contains(.orders)
      && slots.contains { entity.references[$0]?.inverse.isOrdered == true }
  }

  /// Reads the orders to which rows belong, before these slots of theirs are changed without objects.
  ///
  /// - Parameter rows: A query for their ids, in parentheses.
  func recordOrders(changing slots: SlotSet, of entity: Entity, rows: String) throws(PersistenceError) {
    guard recordsOrders(changing: slots, of: entity) else { return }
    for slot in slots {
      guard let relationship = entity.references[slot]?.inverse else { continue }
      let owner = relationship.ownerColumn
      try recordOrders(
        of: relationship,
        ownedBy:
          "SELECT DISTINCT \(owner) FROM \(relationship.memberTable) WHERE \(relationship.memberColumn) IN \(rows) "
          + "AND \(owner) NOT NULL")
    }
  }

  /// Reads the orders of the owners that a query selects, before their members change without objects.
  func recordOrders(of relationship: Relationship, ownedBy query: String) throws(PersistenceError) {
    guard isRecording, relationship.isOrdered, unit.interest.contains(.orders) else { return }
    for owner in try ids(query) { try recordOrder(of: relationship, owner) }
  }

  private func recordOrder(of relationship: Relationship, _ owner: Int64) throws(PersistenceError) {
    if !links.hasOrder(of: relationship, owner) {
      links.record(try order(of: relationship, owner), of: relationship, owner)
    }
  }

  private func order(of relationship: Relationship, _ owner: Int64) throws(PersistenceError) -> [Int64] {
    try ids(
      "SELECT \(relationship.memberColumn) FROM \(relationship.memberTable) WHERE \(relationship.ownerColumn)=?1"
        + " ORDER BY \(relationship.memberOrder)", .integer(owner))
  }

  /// The owners of the members with these ids, in the store.
  private func owners(of members: [Int64], _ relationship: Relationship) throws(PersistenceError) -> [Int64] {
    try ids(
      "SELECT DISTINCT \(relationship.ownerColumn) FROM \(relationship.memberTable) WHERE \(relationship.memberColumn)"
        + " IN (SELECT value FROM json_each(?1)) AND \(relationship.ownerColumn) NOT NULL", .text(SQL.json(members)))
  }

  private func ids(_ sql: String, _ values: StoredValue...) throws(PersistenceError) -> [Int64] {
    let statement = try connection.statement(sql)
    try statement.bind(values)
    var ids: [Int64] = []
    while try statement.step() { ids.append(statement.int64(0)) }
    return ids
  }
}

extension PendingChanges {
  /// The ids of the frozen objects that are deleted, or whose slot is changed, by the next write.
  fileprivate func unwrittenIDs(changing slot: Int) -> [Int64] {
    deleted[writtenDeletes...].map(\._id)
      + updates[writtenUpdates...].filter { $0.mask.contains(slot) }.map(\.object._id)
  }
}
