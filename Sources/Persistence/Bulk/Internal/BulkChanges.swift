/// Collects the rows that a bulk operation has changed, for the commit's change set. It records their ids up to a
/// limit, unless an observer follows the writes.
struct BulkChanges {
  /// Beyond this number of rows, the change set says that anything in the class may have changed.
  static let limit = 65_536

  private let registry: EntityRegistry
  /// Whether ids are requested and few enough to record.
  private(set) var isRecording: Bool
  private let isWanted: Bool
  private var kinds: [Int64: ObjectChangeKind] = [:]
  /// The objects that take over the changes, and then report them with the old values. They stay in memory until then.
  private var known: [Int64: ManagedObject] = [:]

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
    guard isRecording else { return }
    if kinds.updateValue(kind, forKey: id) == nil, let object = registry.map.object(id) { known[id] = object }
    if kinds.count > Self.limit, !registry.space.unit.interest.contains(.writes) {
      isRecording = false
      (kinds, known) = ([:], [:])
    }
  }

  /// Records the changes in the unit, after objects in memory have taken them over. Call this even if no one observes
  /// them: it makes the unit have something to commit.
  func record(mask: SlotSet = .everything) {
    var changes = EntityChanges(registry.entity)
    if isWanted && !isRecording {
      changes.isWhole = true
    } else {
      for (id, kind) in kinds { changes.add(kind, ids: [id], mask: known[id] == nil ? mask : SlotSet()) }
    }
    changes.finish()
    registry.space.recordBulk(changes)
  }
}
