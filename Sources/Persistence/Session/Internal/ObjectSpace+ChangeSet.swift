extension ObjectSpace {
  /// Returns the changes of the open transaction, or nil if they are not observed. All changes must be written already.
  func changeSet() throws(PersistenceError) -> ChangeSet? {
    guard let watched = unit.watched else { return nil }
    var set = ChangeSet(schema)
    for registry in registries {
      var changes = registry.rowChanges(watching: watched[registry.entity.index])
      for bulk in unit.bulk where bulk.entity === registry.entity {
        changes = changes.map { $0.joined(with: bulk) } ?? bulk
      }
      if let changes { set.entities.append(changes) }
    }
    set.links = try links.effects + changedOrders()
    return set
  }

  /// Whether the rows that the open transaction changes are recorded.
  var isRecording: Bool { unit.watched != nil }

  /// Adds changes that were written to the open transaction without objects to the commit's change set. Call this
  /// whether or not rows are recorded, because it also makes the unit one that must be committed. The changes must be
  /// finished.
  func recordBulk(_ changes: EntityChanges) { unit.bulk.append(changes) }
}

extension EntityChanges {
  /// Combines two changes from the same transaction. For a row in both, only the kind of change is retained.
  func joined(with other: EntityChanges) -> EntityChanges {
    var result = EntityChanges(entity)
    result.isWhole = isWhole || other.isWhole
    var kinds: [Int64: ObjectChangeKind] = [:]
    for row in other.rows { kinds[row.id] = row.kind }
    for row in rows {
      if let kind = kinds[row.id] {
        kinds[row.id] = nil
        switch (row.kind, kind) {
        case (.inserted, .deleted), (.deleted, .inserted): continue
        case (.deleted, _), (_, .deleted): result.add(.deleted, ids: [row.id])
        case (.inserted, _), (_, .inserted): result.add(.inserted, ids: [row.id])
        default: result.add(.updated, ids: [row.id])
        }
      } else {
        result.add(row, from: self)
      }
    }
    for row in other.rows where kinds[row.id] != nil { result.add(row, from: other) }
    result.finish()
    return result
  }

  private mutating func add(_ row: RowChange, from other: EntityChanges) {
    let width = row.carried.count * (row.kind == .updated ? 2 : 1)
    add(row)
    for index in row.start..<row.start + width { add(other.values[index]) }
  }
}
