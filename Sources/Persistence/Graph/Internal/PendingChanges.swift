/// The changes to the objects of one class since the last commit.
///
/// Changes pass through three stages: *fresh* in the objects' own bits (`changed`), *frozen* with their masks
/// (`updates`), and *written* to the open transaction (the counters). A mark records the length of each list, so that a
/// body can be undone without affecting changes that were pending before it.
struct PendingChanges {
  struct Update {
    let object: ManagedObject
    var mask: SlotSet
    /// Unchanged values to write as well, because placeholders take their place in the meantime.
    var restored = SlotSet()
    /// How often the open transaction has written it, which the object's version counts.
    var writes: UInt32 = 0
    /// Whether the object's own validation made the change.
    var isValidated = false

    var isWritten: Bool { writes > 0 }
  }

  /// An old value. `changed` or `updates` keeps the object alive.
  struct Overwrite {
    let object: Unmanaged<ManagedObject>
    let slot: Int32
    let old: StoredValue
  }

  /// An amount added to a number. Each increment has its own overwrite.
  struct Increment {
    let object: Unmanaged<ManagedObject>
    let slot: Int32
    var amount: StoredValue
  }

  // Separate fields, each with its own exclusivity check, because a mark is taken while nothing else runs.
  var inserted: ContiguousArray<ManagedObject> = []
  var changed: ContiguousArray<ManagedObject> = []
  var updates: ContiguousArray<Update> = []
  var deleted: ContiguousArray<ManagedObject> = []
  var overwrites: ContiguousArray<Overwrite> = []
  var increments: ContiguousArray<Increment> = []
  var overwriteIndex = EntryIndex()
  var incrementIndex = EntryIndex()
  var updateIndex = EntryIndex()
  /// The number of increments at the last mark. These stay unchanged.
  var markedIncrements = 0
  /// The number of updates that the temporary table of pending rows contains. Another increment needs another update.
  var copiedUpdates = 0
  /// Objects written with placeholders because some of their values were not unique at the time of a fetch.
  var unsettled: ContiguousArray<Update> = []
  /// The ids of objects that took values of another commit during a save, until a commit reports it.
  var merged: Set<Int64> = []
  /// The ids of objects with changes whose rows others may have changed since. They are read again when the changes are
  /// discarded.
  var missed: Set<Int64> = []
  /// The rows that others had changed before they were deleted here; nil for those that others had deleted.
  var deletedRowsOfOthers: [Int64: StoredRow?] = [:]
  var frozenInserts = 0
  /// Whether any of the inserted objects was restored.
  var hasReturned = false
  /// Counts how often `changed` was frozen.
  var freezes = 0
  var writtenInserts = 0
  var writtenUpdates = 0
  var writtenDeletes = 0

  struct StoredRow {
    let version: UInt32
    let values: [StoredValue]
  }

  struct Mark {
    var inserted = 0
    var updates = 0
    var deleted = 0
    var overwrites = 0
    var increments = 0
  }

  var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && updates.isEmpty && deleted.isEmpty }

  var count: Int { inserted.count + changed.count + updates.count }

  /// The ids of the changed and the deleted objects.
  var idsOfChanged: Set<Int64> { Set((changed + deleted + updates.map(\.object)).lazy.map(\._id)) }

  var isWritten: Bool {
    writtenInserts == inserted.count && writtenUpdates == updates.count && writtenDeletes == deleted.count
      && changed.isEmpty
  }

  var mark: Mark {
    Mark(
      inserted: inserted.count, updates: updates.count, deleted: deleted.count, overwrites: overwrites.count,
      increments: increments.count)
  }

  func clamped(_ mark: Mark) -> Mark {
    Mark(
      inserted: min(mark.inserted, inserted.count), updates: min(mark.updates, updates.count),
      deleted: min(mark.deleted, deleted.count), overwrites: min(mark.overwrites, overwrites.count),
      increments: min(mark.increments, increments.count))
  }

  /// Returns the positions of an object's old values, in the order in which they were recorded.
  mutating func overwriteIndexes(of object: ManagedObject) -> ContiguousArray<Int> {
    overwriteIndex.indexes(of: object, in: overwrites) { $0.object.toOpaque() }
  }

  /// Whether a change of the object was frozen.
  mutating func hasUpdates(of object: ManagedObject) -> Bool {
    !updateIndex.indexes(of: object, in: updates) { Unmanaged.passUnretained($0.object).toOpaque() }.isEmpty
  }

  /// Resets the indexes after entries were removed from the lists.
  mutating func resetIndexes() {
    overwriteIndex.reset()
    incrementIndex.reset()
    updateIndex.reset()
  }

  /// Removes everything after a commit. What was missed and is not in the commit stays to be read again.
  mutating func removeAll() {
    if !missed.isEmpty { missed.subtract(idsOfChanged) }
    // Release the memory of a large unit. Keep that of a small one for the next unit.
    let keeps = overwrites.count + inserted.count + updates.count + deleted.count < 4096
    inserted.removeAll(keepingCapacity: keeps)
    changed.removeAll(keepingCapacity: keeps)
    updates.removeAll(keepingCapacity: keeps)
    deleted.removeAll(keepingCapacity: keeps)
    overwrites.removeAll(keepingCapacity: keeps)
    increments.removeAll(keepingCapacity: keeps)
    resetIndexes()
    unsettled.removeAll()
    merged.removeAll()
    deletedRowsOfOthers.removeAll()
    markedIncrements = 0
    frozenInserts = 0
    copiedUpdates = 0
    hasReturned = false
    writtenInserts = 0
    writtenUpdates = 0
    writtenDeletes = 0
  }
}
