/// What a transaction has changed in the rows of one class without objects. It lists them up to a limit.
///
/// A row that has an object in memory is not added, because its object takes on the change and reports it. What is here
/// was therefore changed before the row's object was read, and the object does not know the values from before it.
struct BulkChanges {
  /// Beyond this number of rows, the change set says that anything in the class may have changed.
  static let limit = 65_536

  private(set) var rows: [Int64: (kind: ObjectChangeKind, mask: SlotSet)] = [:]
  private(set) var isWhole = false

  /// Adds a change that follows those that were added before.
  ///
  /// - Parameter mask: The changed slots of an updated row.
  mutating func add(_ id: Int64, _ kind: ObjectChangeKind, _ mask: SlotSet = .everything) {
    if isWhole { return }
    let mask = kind == .updated ? mask : .everything
    let earlier = rows.updateValue((kind, mask), forKey: id)
    switch (earlier?.kind, kind) {
    case (.inserted, .deleted): rows[id] = nil
    case (.inserted, _): rows[id] = earlier
    case (.updated, .updated): rows[id] = (.updated, mask.union(earlier?.mask ?? SlotSet()))
    default: break
    }
    if rows.count > Self.limit { (isWhole, rows) = (true, [:]) }
  }
}

extension EntityChanges {
  /// Returns these changes of objects, and what the same transaction has changed without objects.
  func joined(with bulk: BulkChanges) -> EntityChanges {
    var result = EntityChanges(entity)
    result.isWhole = bulk.isWhole
    var rest = bulk.rows
    for row in rows {
      switch (rest.removeValue(forKey: row.id), row.kind) {
      // The values from before may be any.
      case (nil, _) where bulk.isWhole: result.add(row.kind, ids: [row.id])
      case (nil, _): result.add(row, from: self)
      case ((.inserted, _)?, .deleted): continue
      case ((.inserted, _)?, _): result.add(.inserted, ids: [row.id])
      // The row was deleted and restored.
      case ((.deleted, _)?, _): result.add(.updated, ids: [row.id])
      case ((.updated, let mask)?, _): result.add(row, from: self, besides: mask)
      }
    }
    for (id, change) in rest { result.add(change.kind, ids: [id], mask: change.mask) }
    result.finish()
    return result
  }

  /// Adds a row of other changes without the values of slots that were changed before the row's object was read.
  private mutating func add(_ row: RowChange, from other: EntityChanges, besides unknown: SlotSet = SlotSet()) {
    var new = row
    new.mask.formUnion(unknown)
    new.carried = row.carried.subtracting(unknown)
    add(new)
    for slot in new.carried {
      guard let values = other.values(slot, of: row) else { continue }
      if row.kind != .inserted { add(values.old) }
      if row.kind != .deleted { add(values.new) }
    }
  }
}
