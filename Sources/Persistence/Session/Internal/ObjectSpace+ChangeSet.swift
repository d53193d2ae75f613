extension ObjectSpace {
  /// Returns the changes of the open transaction, or nil if they are not observed. All changes must be written already.
  func changeSet(since earlier: RecordedWrites = RecordedWrites()) throws(PersistenceError) -> ChangeSet? {
    guard let watched = unit.watched else { return nil }
    var set = ChangeSet(schema)
    for (index, registry) in registries.enumerated() {
      let mark = earlier.objects.isEmpty ? PendingChanges.Mark() : earlier.objects[index]
      var changes = registry.rowChanges(watching: watched[index], since: mark)
      for bulk in unit.bulk[earlier.bulk...] where bulk.entity === registry.entity {
        changes = changes.map { $0.joined(with: bulk) } ?? bulk
      }
      if let changes { set.entities.append(changes) }
    }
    set.links = try ContiguousArray(links.effects[earlier.links...]) + changedOrders(since: earlier.orders)
    return set
  }

  /// Notifies observers before rows are changed without their objects.
  func willChange(_ slots: SlotSet, of entity: Entity, rows: String) throws(PersistenceError) {
    guard unit.interest.contains(.writes) else { return }
    for observer in saveObservers { try observer.willChange(slots, of: entity, rows: rows) }
  }

  /// Notifies observers before pairs are changed without their objects.
  func willChangePairs(of join: JoinTable, where condition: String) throws(PersistenceError) {
    guard unit.interest.contains(.writes) else { return }
    for observer in saveObservers { try observer.willChangePairs(of: join, where: condition) }
  }

  /// Passes to the observers what was written since the last call.
  func recordWrites() throws(PersistenceError) {
    let changes = try changeSet(since: unit.recorded)
    unit.recorded = RecordedWrites(
      objects: ContiguousArray(registries.map(\.changes.mark)), links: links.effects.count,
      orders: links.orders.count, bulk: unit.bulk.count)
    guard let changes, !changes.isEmpty else { return }
    for observer in saveObservers { try observer.record(changes) }
  }

  /// Whether the rows that the open transaction changes are recorded.
  var isRecording: Bool { unit.watched != nil }

  /// Adds changes that were written to the open transaction without objects to the commit's change set. Call this
  /// whether or not rows are recorded, because it also makes the unit one that must be committed. The changes must be
  /// finished.
  func recordBulk(_ changes: EntityChanges) { unit.bulk.append(changes) }
}

/// How much of the pending changes observers have received since the open transaction began.
struct RecordedWrites {
  var objects: ContiguousArray<PendingChanges.Mark> = []
  var links = 0
  var orders = 0
  var bulk = 0
}

extension EntityChanges {
  /// Combines two changes from the same transaction. For a row in both, the other one's changed slots have no values:
  /// its object may have been read after them.
  func joined(with other: EntityChanges) -> EntityChanges {
    var result = EntityChanges(entity)
    result.isWhole = isWhole || other.isWhole
    var rest: [Int64: RowChange] = [:]
    for row in other.rows { rest[row.id] = row }
    for row in rows {
      let second = rest.removeValue(forKey: row.id)
      switch (row.kind, second?.kind) {
      case (.inserted, .deleted), (.deleted, .inserted): continue
      case (.updated, .deleted), (.updated, .inserted): result.add(second?.kind ?? row.kind, ids: [row.id])
      default: result.add(row, from: self, besides: second?.mask ?? SlotSet())
      }
    }
    for row in other.rows where rest[row.id] != nil { result.add(row, from: other) }
    result.finish()
    return result
  }

  private mutating func add(_ row: RowChange, from other: EntityChanges, besides unknown: SlotSet = SlotSet()) {
    var new = row
    // Objects elsewhere then read the row again.
    if !unknown.isEmpty { (new.version, new.base) = (0, 0) }
    new.mask.formUnion(unknown)
    new.carried = row.carried.subtracting(unknown)
    add(new)
    let width = row.kind == .updated ? 2 : 1
    for (position, slot) in row.carried.enumerated() where !unknown.contains(slot) {
      let first = row.start + position * width
      for index in first..<first + width { add(other.values[index]) }
    }
  }
}
