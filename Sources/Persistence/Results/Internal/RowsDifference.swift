/// The difference between two lists: rows at `removed` are removed and rows at `inserted` are inserted. A row in both
/// lists has moved. Rows in `updated` keep their position relative to the others, but have new values.
struct RowsDifference: Sendable {
  struct Update: Sendable {
    let old: Int
    let new: Int
    let id: Int64
  }

  var removed: [RowPosition] = []
  var inserted: [RowPosition] = []
  var updated: [Update] = []
  /// False if rows that are not listed may have new values.
  var isComplete = true

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && updated.isEmpty && isComplete }

  /// Computes the difference between `old` and `new` from their keys alone, by walking over both.
  init(from old: ResultsRows, to new: ResultsRows) {
    var left = old.makeCursor()
    var right = new.makeCursor()
    while true {
      switch (left.row, right.row) {
      case (nil, nil):
        return
      case (let row?, nil):
        removed.append(RowPosition(index: left.index, id: row.id))
        left.advance()
      case (nil, let row?):
        inserted.append(RowPosition(index: right.index, id: row.id))
        right.advance()
      case (let a?, let b?):
        let order = new.order(of: b, to: a, in: old)
        if order >= 0 {
          if order > 0 { removed.append(RowPosition(index: left.index, id: a.id)) }
          left.advance()
        }
        if order <= 0 {
          if order < 0 { inserted.append(RowPosition(index: right.index, id: b.id)) }
          right.advance()
        }
      }
    }
  }

  /// Combines several successive differences, which lead from `old` to `new`.
  init(joining differences: [RowsDifference], from old: ResultsRows, to new: ResultsRows) {
    self.init(from: old, to: new)
    isComplete = differences.allSatisfy(\.isComplete)
    note(Set(differences.lazy.flatMap { $0.updated.map(\.id) + $0.inserted.map(\.id) }), from: old, to: new)
    settle(from: old, to: new)
  }

  /// Adds updates for rows with these ids, except for those that were removed or inserted.
  mutating func note(_ ids: Set<Int64>, from old: ResultsRows, to new: ResultsRows) {
    var ids = ids
    ids.subtract(removed.map(\.id))
    ids.subtract(inserted.map(\.id))
    if ids.isEmpty { return }
    let before = Dictionary(old.positions(of: ids).map { ($0.row.id, $0.index) }) { first, _ in first }
    updated = new.positions(of: ids).compactMap { position, row in
      before[row.id].map { Update(old: $0, new: position, id: row.id) }
    }
  }

  /// - Parameter touched: Rows that stay where they are and have new values.
  init(removed: [RowPosition], inserted: [RowPosition], touched: [Update]) {
    self.removed = removed
    self.inserted = inserted
    updated = touched
  }

  /// A row with a new key may still be between the same neighbors. It is then updated instead of moved.
  mutating func settle(from old: ResultsRows, to new: ResultsRows) {
    guard !removed.isEmpty, !inserted.isEmpty else { return }
    // The index among the inserted rows, by id.
    let come = Dictionary(inserted.enumerated().map { ($1.id, $0) }) { first, _ in first }
    var staying: Set<Int64> = []
    var last = -1
    for (before, row) in removed.enumerated() {
      guard let after = come[row.id] else { continue }
      let position = inserted[after].index
      // Compares the numbers of preceding rows that are neither removed nor inserted.
      guard row.index - before == position - after, position > last, isSameSection(row.index, position, old, new) else {
        continue
      }
      last = position
      staying.insert(row.id)
      updated.append(Update(old: row.index, new: position, id: row.id))
    }
    guard !staying.isEmpty else { return }
    removed.removeAll { staying.contains($0.id) }
    inserted.removeAll { staying.contains($0.id) }
    updated.sort { $0.new < $1.new }
  }

  private func isSameSection(_ index: Int, _ position: Int, _ old: ResultsRows, _ new: ResultsRows) -> Bool {
    guard new.hasSections else { return true }
    let (left, right) = (old.sections[old.section(of: index)].key, new.sections[new.section(of: position)].key)
    return new.order.keyOrder(left, right) == 0
  }
}
