/// A change to a single row.
struct RowChange: Sendable {
  let id: Int64
  let kind: ObjectChangeKind
  /// The row's version after the change. 0 if unknown.
  var version: UInt32 = 0
  /// The row's version before the change. 0 if unknown.
  var base: UInt32 = 0
  /// The slots whose values differ. Contains everything if they are unknown.
  var mask: SlotSet
  /// The slots whose values are included: the changed ones, and others that were requested.
  var carried = SlotSet()
  /// The index of the row's first value.
  var start = 0
  /// Whether the row also contains values from a commit that observers may not have received, which the save has
  /// merged. The history omits this because that commit has its own entry there.
  var isMerged = false
}

/// The changes of a commit to the rows of one class.
///
/// The values of all rows are stored consecutively. An updated row has the old and the new value of each included slot.
/// Other rows have one value per included slot.
struct EntityChanges: Sendable {
  let entity: Entity
  /// Whether more may have changed than the listed rows.
  var isWhole = false
  /// Sorted by id after ``finish()``.
  private(set) var rows: ContiguousArray<RowChange> = []
  private(set) var values: ContiguousArray<StoredValue> = []

  init(_ entity: Entity) { self.entity = entity }

  init(everythingOf entity: Entity) {
    self.entity = entity
    isWhole = true
  }

  var isEmpty: Bool { !isWhole && rows.isEmpty }

  /// Whether rows came or went, or one of these attributes may have changed.
  func affects(_ slots: SlotSet) -> Bool {
    isWhole || rows.contains { $0.kind != .updated || !$0.mask.isDisjoint(with: slots) }
  }

  mutating func reserve(rows: Int, values: Int) {
    self.rows.reserveCapacity(rows)
    self.values.reserveCapacity(values)
  }

  /// Adds a row. Its values follow through ``add(_:)``.
  mutating func add(_ row: RowChange) {
    rows.append(row)
    rows[rows.count - 1].start = values.count
  }

  mutating func add(_ value: StoredValue) { values.append(value) }

  /// Sets the masks of the last row, which are known only after its values.
  mutating func setLast(mask: SlotSet, carried: SlotSet) {
    rows[rows.count - 1].mask = mask
    rows[rows.count - 1].carried = carried
  }

  /// Adds rows of which only the ids are known.
  mutating func add(_ kind: ObjectChangeKind, ids: some Sequence<Int64>, mask: SlotSet = .everything) {
    for id in ids { rows.append(RowChange(id: id, kind: kind, mask: mask)) }
  }

  mutating func finish() {
    var last = Int64.min
    for row in rows {
      if row.id < last { return rows.sort { $0.id < $1.id } }
      last = row.id
    }
  }

  func row(_ id: Int64) -> RowChange? {
    let index = rows.partitioningIndex { $0.id >= id }
    return index < rows.count && rows[index].id == id ? rows[index] : nil
  }

  /// Whether all changes of a row are included.
  func isTold(_ row: RowChange) -> Bool {
    row.mask.subtracting(row.carried).isEmpty
      && (row.kind == .updated || !row.carried.isEmpty || entity.columns.isEmpty)
  }

  /// Returns the changed slots whose values are included.
  func slots(of row: RowChange) -> [Int] {
    Array(row.mask.intersection(row.carried))
  }

  /// Returns the values before and after the change, or nil if they are not included.
  func values(_ slot: Int, of row: RowChange) -> (old: StoredValue, new: StoredValue)? {
    guard row.carried.contains(slot) else { return nil }
    let position = row.carried.intersection(SlotSet(first: slot)).count
    switch row.kind {
    case .inserted: return (.null, values[row.start + position])
    case .deleted: return (values[row.start + position], .null)
    case .updated: return (values[row.start + 2 * position], values[row.start + 2 * position + 1])
    }
  }
}

/// A change that is not visible in the rows of the classes.
enum LinkChange: Sendable, Hashable {
  case added(join: Int, first: Int64, second: Int64)
  case removed(join: Int, first: Int64, second: Int64)
  /// The members of an ordered relationship, identified by class and number, have a different order. The orders are nil
  /// if they were not recorded.
  case reordered(entity: Int, relation: Int, owner: Int64, MemberOrders? = nil)
  /// Any pair may have changed.
  case all(join: Int)

  /// The join table of a pair.
  var join: Int? {
    switch self {
    case .added(let join, _, _), .removed(let join, _, _), .all(let join): join
    case .reordered: nil
    }
  }

  /// What undoes a change of a pair. Other changes are returned as they are.
  var opposite: LinkChange {
    switch self {
    case .added(let join, let first, let second): .removed(join: join, first: first, second: second)
    case .removed(let join, let first, let second): .added(join: join, first: first, second: second)
    case .reordered, .all: self
    }
  }
}
