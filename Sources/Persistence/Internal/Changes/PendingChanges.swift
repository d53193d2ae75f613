/// What has changed in the objects of one class since the last commit.
///
/// Changes go through three stations: *fresh* in the objects' own bits (`changed`), *sealed* with their masks
/// (`updates`), and *written* to the open transaction (the counters). A mark remembers how far each list had come, so
/// that a body can be undone without touching what was pending before it.
struct PendingChanges {
  struct Update {
    let object: ManagedObject
    let mask: SlotSet
    /// Whether the open transaction has it, and the object's version counts it.
    var isWritten = false
    /// Whether it was changed by its own validation.
    var isValidated = false
  }

  /// An old value. The object is kept alive by `changed` or `updates`.
  struct Undo {
    let object: Unmanaged<ManagedObject>
    let slot: Int32
    let old: StoredValue
  }

  /// What was added to a number. Each has an undo of its own.
  struct Increment {
    let object: Unmanaged<ManagedObject>
    let slot: Int32
    var amount: StoredValue
  }

  // Separate fields with their own exclusivity, because a mark is taken while nothing else runs.
  var inserted: ContiguousArray<ManagedObject> = []
  var changed: ContiguousArray<ManagedObject> = []
  var updates: ContiguousArray<Update> = []
  var deleted: ContiguousArray<ManagedObject> = []
  var undo: ContiguousArray<Undo> = []
  var increments: ContiguousArray<Increment> = []
  var undoIndex = EntryIndex()
  var incrementIndex = EntryIndex()
  var updateIndex = EntryIndex()
  /// How many increments there were at the last mark: they stay as they are.
  var markedIncrements = 0
  /// Objects that are written with placeholders, because values of theirs were not unique when a fetch came in between.
  var unsettled: ContiguousArray<Update> = []
  /// Objects that have taken values of another commit at a save, by their ids, until there is a commit that tells of
  /// it.
  var merged: Set<Int64> = []
  var sealedInserts = 0
  /// Whether any of the inserted objects has come back.
  var hasReturned = false
  /// Counts how often `changed` was put aside.
  var seals = 0
  var writtenInserts = 0
  var writtenUpdates = 0
  var writtenDeletes = 0

  struct Mark {
    var inserted = 0
    var updates = 0
    var deleted = 0
    var undo = 0
    var increments = 0
  }

  var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && updates.isEmpty && deleted.isEmpty }

  var count: Int { inserted.count + changed.count + updates.count }

  var isWritten: Bool {
    writtenInserts == inserted.count && writtenUpdates == updates.count && writtenDeletes == deleted.count
      && changed.isEmpty
  }

  var mark: Mark {
    Mark(
      inserted: inserted.count, updates: updates.count, deleted: deleted.count, undo: undo.count,
      increments: increments.count)
  }

  func clamped(_ mark: Mark) -> Mark {
    Mark(
      inserted: min(mark.inserted, inserted.count), updates: min(mark.updates, updates.count),
      deleted: min(mark.deleted, deleted.count), undo: min(mark.undo, undo.count),
      increments: min(mark.increments, increments.count))
  }

  /// Where the old values of an object are, in the order in which they were kept.
  mutating func undoPlaces(of object: ManagedObject) -> ContiguousArray<Int> {
    undoIndex.places(of: object, in: undo) { $0.object.toOpaque() }
  }

  /// Whether a change of the object was put aside.
  mutating func hasUpdates(of object: ManagedObject) -> Bool {
    !updateIndex.places(of: object, in: updates) { Unmanaged.passUnretained($0.object).toOpaque() }.isEmpty
  }

  /// After entries were taken out of the lists.
  mutating func resetIndexes() {
    undoIndex.reset()
    incrementIndex.reset()
    updateIndex.reset()
  }

  mutating func removeAll() {
    // A large unit's memory is given back, a small one's kept for the next.
    let keeps = undo.count + inserted.count + updates.count + deleted.count < 4096
    inserted.removeAll(keepingCapacity: keeps)
    changed.removeAll(keepingCapacity: keeps)
    updates.removeAll(keepingCapacity: keeps)
    deleted.removeAll(keepingCapacity: keeps)
    undo.removeAll(keepingCapacity: keeps)
    increments.removeAll(keepingCapacity: keeps)
    resetIndexes()
    unsettled.removeAll()
    merged.removeAll()
    markedIncrements = 0
    sealedInserts = 0
    hasReturned = false
    writtenInserts = 0
    writtenUpdates = 0
    writtenDeletes = 0
  }
}
