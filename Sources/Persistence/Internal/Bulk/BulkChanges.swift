/// The rows that bulk work has changed, for the commit's change set: by their ids, as long as these are not too many.
struct BulkChanges {
  /// Beyond this a change set says that anything in the class may have changed.
  static let limit = 65_536

  private let table: ObjectTable
  /// Whether somebody wants to know the ids, and they are few enough.
  private(set) var isRecording: Bool
  private let isWanted: Bool
  private var kinds: [Int64: ObjectChangeKind] = [:]
  private var isEmpty = true

  init(_ table: ObjectTable) {
    self.table = table
    isWanted = table.space.isRecording
    isRecording = isWanted
  }

  mutating func add(_ id: Int64, isNew: Bool) {
    // One that was inserted before in the same import stays an inserted one.
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

  /// Also where nobody wants to know: the unit has something to commit.
  func record(mask: SlotSet = .everything) {
    var changes = EntityChanges(table.entity)
    if isWanted && !isRecording {
      changes.isWhole = true
    } else {
      for kind in [ObjectChangeKind.inserted, .updated, .deleted] {
        changes.add(kind, ids: kinds.filter { $0.value == kind }.keys, mask: mask)
      }
    }
    changes.finish()
    table.space.recordBulk(changes)
  }
}
