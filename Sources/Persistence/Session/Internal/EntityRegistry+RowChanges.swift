extension EntityRegistry {
  /// Returns the changes that the open transaction has made. Everything must be written already. Every updated row
  /// includes the values of the watched slots.
  func rowChanges(watching watched: SlotSet) -> EntityChanges? {
    if changes.inserted.isEmpty && changes.overwrites.isEmpty && changes.deleted.isEmpty { return nil }
    var result = EntityChanges(entity)
    let width = layouts.count
    result.reserve(
      rows: changes.inserted.count + changes.updates.count + changes.deleted.count,
      values: width * (changes.inserted.count + changes.deleted.count) + 2 * changes.overwrites.count)
    let old = OldValues(changes.overwrites)
    var gone = deletions(
      old,
      // Others had deleted some of the rows before.
      changes.deleted.filter {
        if let row = changes.deletedRowsOfOthers[$0._id], row == nil { return false }
        return $0._state & ObjectState.fresh == 0
      })
    for object in changes.inserted where object._state & ObjectState.deleted == 0 {
      if let row = gone.isEmpty ? nil : gone.removeValue(forKey: object._id) {
        add(object, inPlaceOf: row, to: &result)
        continue
      }
      result.add(RowChange(id: object._id, kind: .inserted, version: object._version, mask: all, carried: all))
      for slot in 0..<width { result.add(value(slot, of: object)) }
    }
    addUpdates(to: &result, old, watching: watched.intersection(all))
    for row in gone.values {
      result.add(
        RowChange(
          id: row.object._id, kind: .deleted, version: row.version, base: row.version, mask: all, carried: all))
      for value in row.values { result.add(value) }
    }
    result.finish()
    return result
  }

  /// Every slot.
  private var all: SlotSet { SlotSet(first: layouts.count) }

  private func addUpdates(to result: inout EntityChanges, _ old: OldValues, watching watched: SlotSet) {
    var known = ContiguousArray<StoredValue>(repeating: .null, count: layouts.count)
    let writes = writeCounts()
    old.forEachObject { object, overwrites in
      if object._state & (ObjectState.deleted | ObjectState.fresh) != 0 { return }
      var mask = SlotSet()
      for overwrite in overwrites where !mask.contains(Int(overwrite.slot)) {
        // The first recorded value is the one in the store.
        mask.insert(Int(overwrite.slot))
        known[Int(overwrite.slot)] = overwrite.old
      }
      result.add(
        RowChange(
          id: object._id, kind: .updated, version: object._version,
          base: object._version &- (writes?[ObjectIdentifier(object)] ?? 1), mask: SlotSet(),
          isMerged: changes.merged.contains(object._id)))
      var changed = mask
      var carried = mask.union(watched)
      for slot in carried {
        let new = value(slot, of: object)
        let old = mask.contains(slot) ? known[slot] : new
        if mask.contains(slot), old.isSame(as: new) {
          changed.remove(slot)
          if !watched.contains(slot) {
            carried.remove(slot)
            continue
          }
        }
        result.add(old)
        result.add(new)
      }
      result.setLast(mask: changed, carried: carried)
    }
  }

  /// Returns how often each object was written, or nil if every object was written once.
  private func writeCounts() -> [ObjectIdentifier: UInt32]? {
    var last: Int64 = .min
    var isOnce = true
    for update in changes.updates {
      if update.writes != 1 || update.object._id <= last {
        isOnce = false
        break
      }
      last = update.object._id
    }
    if isOnce { return nil }
    var counts: [ObjectIdentifier: UInt32] = [:]
    for update in changes.updates { counts[ObjectIdentifier(update.object), default: 0] += update.writes }
    return counts
  }

  /// An object whose row was in the store, and the values it had there.
  private typealias Deletion = (object: ManagedObject, version: UInt32, values: [StoredValue])

  /// Returns the deletions by id.
  private func deletions(_ old: OldValues, _ gone: [ManagedObject]) -> [Int64: Deletion] {
    if gone.isEmpty { return [:] }
    var firsts: [ObjectIdentifier: [Int: StoredValue]] = [:]
    old.forEachObject { object, overwrites in
      if object._state & ObjectState.deleted == 0 { return }
      for overwrite in overwrites.reversed() {
        firsts[ObjectIdentifier(object), default: [:]][Int(overwrite.slot)] = overwrite.old
      }
    }
    var deletions: [Int64: Deletion] = [:]
    deletions.reserveCapacity(gone.count)
    for object in gone {
      if case let row?? = changes.deletedRowsOfOthers[object._id] {
        deletions[object._id] = (object, row.version, row.values)
        continue
      }
      let first = firsts[ObjectIdentifier(object)]
      deletions[object._id] = (
        object, object._version, (0..<layouts.count).map { first?[$0] ?? value($0, of: object) }
      )
    }
    return deletions
  }

  /// Adds a row that was deleted and restored in the same unit. It counts as updated, with other values or just a new
  /// version.
  private func add(_ object: ManagedObject, inPlaceOf row: Deletion, to result: inout EntityChanges) {
    result.add(
      RowChange(id: object._id, kind: .updated, version: object._version, base: row.version, mask: SlotSet()))
    var mask = SlotSet()
    for slot in 0..<layouts.count {
      let new = value(slot, of: object)
      if !new.isSame(as: row.values[slot]) { mask.insert(slot) }
      result.add(row.values[slot])
      result.add(new)
    }
    result.setLast(mask: mask, carried: all)
  }
}

/// The old values that a unit has recorded, grouped by object and sorted by id.
private struct OldValues {
  private let overwrites: ContiguousArray<PendingChanges.Overwrite>

  init(_ overwrites: ContiguousArray<PendingChanges.Overwrite>) {
    var isGrouped = true
    var last: Int64 = .min
    for overwrite in overwrites {
      let id = overwrite.object._withUnsafeGuaranteedRef { $0._id }
      if id < last {
        isGrouped = false
        break
      }
      last = id
    }
    // The values of each object stay in the order in which they were recorded.
    self.overwrites =
      isGrouped
      ? overwrites
      : ContiguousArray(
        overwrites.enumerated().sorted { left, right in
          let (a, b) = (
            left.element.object._withUnsafeGuaranteedRef { $0._id },
            right.element.object._withUnsafeGuaranteedRef { $0._id }
          )
          return a != b ? a < b : left.offset < right.offset
        }.map(\.element))
  }

  func forEachObject(_ body: (ManagedObject, ArraySlice<PendingChanges.Overwrite>) -> Void) {
    var first = overwrites.startIndex
    while first < overwrites.endIndex {
      let pointer = overwrites[first].object.toOpaque()
      var end = first + 1
      while end < overwrites.endIndex, overwrites[end].object.toOpaque() == pointer { end += 1 }
      body(overwrites[first].object.takeUnretainedValue(), overwrites[first..<end])
      first = end
    }
  }
}
