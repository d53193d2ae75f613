/// Collects the rows that a bulk operation has changed, for the commit's change set. It records their ids up to a
/// limit.
struct BulkChanges {
  /// Beyond this number of rows, the change set says that anything in the class may have changed.
  static let limit = 65_536

  private let registry: EntityRegistry
  /// Whether ids are requested and few enough to record.
  private(set) var isRecording: Bool
  private let isWanted: Bool
  private var kinds: [Int64: ObjectChangeKind] = [:]
  private var isEmpty = true

  init(_ registry: EntityRegistry) {
    self.registry = registry
    isWanted = registry.space.isRecording
    isRecording = isWanted
  }

  mutating func add(_ id: Int64, isNew: Bool) {
    // A row inserted earlier in the same import still counts as inserted.
    add(id, kinds[id] == .inserted || isNew ? .inserted : .updated)
  }

  mutating func add(_ id: Int64, _ kind: ObjectChangeKind) {
    isEmpty = false
    guard isRecording else { return }
    kinds[id] = kind
    if kinds.count > Self.limit {
      isRecording = false
      kinds = [:]
    }
  }

  /// Records the changes in the unit. Call this even if no one observes them: it makes the unit have something to
  /// commit.
  func record(mask: SlotSet = .everything) {
    var changes = EntityChanges(registry.entity)
    if isWanted && !isRecording {
      changes.isWhole = true
    } else {
      for kind in [ObjectChangeKind.inserted, .updated, .deleted] {
        changes.add(kind, ids: kinds.filter { $0.value == kind }.keys, mask: mask)
      }
    }
    changes.finish()
    registry.space.recordBulk(changes)
  }
}
