extension ObjectSpace {
  /// Returns the changes of the open transaction, or nil if they are not observed. All changes must be written already.
  func changeSet() throws(PersistenceError) -> ChangeSet? {
    var set = changeSet(since: nil) { registry, objects in
      guard let bulk = registry.bulk else { return objects }
      return (objects ?? EntityChanges(registry.entity)).joined(with: bulk.rows, isWhole: bulk.isWhole)
    }
    set?.links += try changedOrders(at: links.orders.indices).changed
    return set
  }

  private func changeSet(
    since earlier: RecordedWrites?, _ join: (EntityRegistry, EntityChanges?) -> EntityChanges?
  ) -> ChangeSet? {
    guard let watched = unit.watched else { return nil }
    var set = ChangeSet(schema)
    for (index, registry) in registries.enumerated() {
      let objects = registry.rowChanges(watching: watched[index], since: earlier?.objects[index])
      if let changes = join(registry, objects) { set.entities.append(changes) }
    }
    set.links = links.netEffects(since: earlier?.links ?? 0)
    return set
  }

  /// Whether the rows that the open transaction changes are recorded.
  var isRecording: Bool { unit.watched != nil }

  /// Whether ``willChange(_:of:rows:)`` has to be called.
  func isCalled(beforeChanging slots: SlotSet, of entity: Entity) -> Bool {
    unit.interest.contains(.writes)
      || unit.interest.contains(.orders) && slots.contains { entity.references[$0]?.inverse.isOrdered == true }
  }

  /// Called before rows are changed without objects. All changes of objects must be written already.
  ///
  /// - Parameter rows: A query for their ids, in parentheses.
  func willChange(_ slots: SlotSet, of entity: Entity, rows: String) throws(PersistenceError) {
    guard isCalled(beforeChanging: slots, of: entity) else { return }
    for slot in slots {
      guard let relationship = entity.references[slot]?.inverse, relationship.isOrdered else { continue }
      let owner = relationship.ownerColumn
      try recordOrders(
        of: relationship,
        ownedBy:
          "SELECT DISTINCT \(owner) FROM \(relationship.memberTable) WHERE \(relationship.memberColumn) IN \(rows) "
          + "AND \(owner) NOT NULL")
    }
    guard unit.interest.contains(.writes) else { return }
    try recordWrites()
    for observer in saveObservers { try observer.willChange(slots, of: entity, rows: rows) }
  }

  /// Called before pairs are changed without objects.
  func willChangePairs(of join: JoinTable, where condition: String) throws(PersistenceError) {
    guard unit.interest.contains(.writes) else { return }
    try recordWrites()
    for observer in saveObservers { try observer.willChangePairs(of: join, where: condition) }
  }

  /// Passes to the observers what has been written since the last call.
  func recordWrites() throws(PersistenceError) {
    guard unit.interest.contains(.writes) else { return }
    let earlier = unit.recorded
    var changes = changeSet(since: earlier) { registry, objects in
      guard let bulk = registry.bulk?.takeUnrecorded(), !bulk.isEmpty else { return objects }
      return (objects ?? EntityChanges(registry.entity)).joined(with: bulk)
    }
    let orders = Array(links.orders.indices[(earlier?.orders ?? 0)...]) + (earlier?.unchangedOrders ?? [])
    let (changed, unchanged) = try changedOrders(at: orders)
    changes?.links += changed
    unit.recorded = RecordedWrites(
      objects: ContiguousArray(registries.map(\.changes.mark)), links: links.effects.count,
      orders: links.orders.count, unchangedOrders: unchanged)
    for (index, registry) in registries.enumerated() {
      let first = earlier?.objects[index].inserted ?? 0
      for object in registry.changes.inserted[first...] { object._state |= ObjectState.recorded }
    }
    guard let changes, !changes.isEmpty else { return }
    for observer in saveObservers { try observer.record(changes) }
  }
}
