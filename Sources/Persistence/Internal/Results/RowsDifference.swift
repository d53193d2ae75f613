/// What makes one list of another: the rows at `removed` are taken out, and put in at `inserted`. A row that is in both
/// has moved. Those in `updated` keep their place among the others, and have other values.
struct RowsDifference: Sendable {
  struct Update: Sendable {
    let old: Int
    let new: Int
    let id: Int64
  }

  var removed: [RowPlace] = []
  var inserted: [RowPlace] = []
  var updated: [Update] = []
  /// False if rows may have other values and are not listed.
  var isComplete = true

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && updated.isEmpty && isComplete }

  /// What makes `new` of `old`, from their keys alone: a walk over both.
  init(from old: ResultsRows, to new: ResultsRows) {
    var left = old.makeCursor()
    var right = new.makeCursor()
    while true {
      switch (left.row, right.row) {
      case (nil, nil):
        return
      case (let row?, nil):
        removed.append(RowPlace(index: left.index, id: row.id))
        left.advance()
      case (nil, let row?):
        inserted.append(RowPlace(index: right.index, id: row.id))
        right.advance()
      case (let a?, let b?):
        let order = new.order(of: b, to: a, in: old)
        if order >= 0 {
          if order > 0 { removed.append(RowPlace(index: left.index, id: a.id)) }
          left.advance()
        }
        if order <= 0 {
          if order < 0 { inserted.append(RowPlace(index: right.index, id: b.id)) }
          right.advance()
        }
      }
    }
  }

  /// What several differences, one after the other, make of `old`.
  init(joining differences: [RowsDifference], from old: ResultsRows, to new: ResultsRows) {
    self.init(from: old, to: new)
    isComplete = differences.allSatisfy(\.isComplete)
    note(Set(differences.lazy.flatMap { $0.updated.map(\.id) + $0.inserted.map(\.id) }), from: old, to: new)
    settle(from: old, to: new)
  }

  /// Rows with these ids have other values; those that have gone or come are no news.
  mutating func note(_ ids: Set<Int64>, from old: ResultsRows, to new: ResultsRows) {
    var ids = ids
    ids.subtract(removed.map(\.id))
    ids.subtract(inserted.map(\.id))
    if ids.isEmpty { return }
    let before = Dictionary(old.places(of: ids).map { ($0.row.id, $0.index) }) { first, _ in first }
    updated = new.places(of: ids).compactMap { place, row in
      before[row.id].map { Update(old: $0, new: place, id: row.id) }
    }
  }

  /// - Parameter touched: rows that stay where they are and have other values.
  init(removed: [RowPlace], inserted: [RowPlace], touched: [Update]) {
    self.removed = removed
    self.inserted = inserted
    updated = touched
  }

  /// A row with another key may be between the same neighbours as before: then it is updated, and does not move.
  mutating func settle(from old: ResultsRows, to new: ResultsRows) {
    guard !removed.isEmpty, !inserted.isEmpty else { return }
    // By id, the place among those that have come.
    let come = Dictionary(inserted.enumerated().map { ($1.id, $0) }) { first, _ in first }
    var staying: Set<Int64> = []
    var last = -1
    for (before, row) in removed.enumerated() {
      guard let after = come[row.id] else { continue }
      let place = inserted[after].index
      // Rows that neither go nor come and stand before it.
      guard row.index - before == place - after, place > last, isSameSection(row.index, place, old, new) else {
        continue
      }
      last = place
      staying.insert(row.id)
      updated.append(Update(old: row.index, new: place, id: row.id))
    }
    guard !staying.isEmpty else { return }
    removed.removeAll { staying.contains($0.id) }
    inserted.removeAll { staying.contains($0.id) }
    updated.sort { $0.new < $1.new }
  }

  private func isSameSection(_ index: Int, _ place: Int, _ old: ResultsRows, _ new: ResultsRows) -> Bool {
    guard new.hasSections else { return true }
    let (left, right) = (old.sections[old.section(of: index)].key, new.sections[new.section(of: place)].key)
    return new.order.keyOrder(left, right) == 0
  }
}
