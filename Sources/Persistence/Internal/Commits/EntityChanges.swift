/// What has happened to one row.
struct RowChange: Sendable {
  let id: Int64
  let kind: ObjectChangeKind
  /// The row's version after the change, and the one that the change began with; 0 where they are not known.
  var version: UInt32 = 0
  var base: UInt32 = 0
  /// The slots that have other values. Everything where they are not known.
  var mask: SlotSet
  /// The slots whose values are told: those that have changed, and others that somebody asked for.
  var carried = SlotSet()
  /// Where its values begin.
  var start = 0
  /// Whether the row also has values of a commit that others may not have been told of, which the save has merged. This
  /// is not part of the history, where that commit has a place of its own.
  var isMerged = false
}

/// What a commit has changed in the rows of one class.
///
/// The values of all rows stand one after the other: of an updated row the old and the new one of each slot that it
/// carries, of others the only one.
struct EntityChanges: Sendable {
  let entity: Entity
  /// More may have changed than the rows that are told.
  var isWhole = false
  /// In the order of their ids, once it is finished.
  private(set) var rows: ContiguousArray<RowChange> = []
  private(set) var values: ContiguousArray<StoredValue> = []

  init(_ entity: Entity) { self.entity = entity }

  init(everythingOf entity: Entity) {
    self.entity = entity
    isWhole = true
  }

  var isEmpty: Bool { !isWhole && rows.isEmpty }

  mutating func reserve(rows: Int, values: Int) {
    self.rows.reserveCapacity(rows)
    self.values.reserveCapacity(values)
  }

  /// A row whose values follow by ``add(_:)``.
  mutating func add(_ row: RowChange) {
    rows.append(row)
    rows[rows.count - 1].start = values.count
  }

  mutating func add(_ value: StoredValue) { values.append(value) }

  /// What the last row carries is known only after its values.
  mutating func setLast(mask: SlotSet, carried: SlotSet) {
    rows[rows.count - 1].mask = mask
    rows[rows.count - 1].carried = carried
  }

  /// Rows of which nothing but their ids is known.
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
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].id == id ? rows[low] : nil
  }

  /// Whether all that has changed in a row is told.
  func isTold(_ row: RowChange) -> Bool {
    row.mask.subtracting(row.carried).isEmpty
      && (row.kind == .updated || !row.carried.isEmpty || entity.columns.isEmpty)
  }

  /// The changed slots whose values are told.
  func slots(of row: RowChange) -> [Int] {
    Array(row.mask.intersection(row.carried))
  }

  /// The value before and after; nil if it is not told.
  func values(_ slot: Int, of row: RowChange) -> (old: StoredValue, new: StoredValue)? {
    guard row.carried.contains(slot) else { return nil }
    let place = row.carried.intersection(SlotSet(first: slot)).count
    switch row.kind {
    case .inserted: return (.null, values[row.start + place])
    case .deleted: return (values[row.start + place], .null)
    case .updated: return (values[row.start + 2 * place], values[row.start + 2 * place + 1])
    }
  }
}
