/// The order of the rows of live results: SQLite's order, with the ids last.
struct ResultsOrder: Sendable {
  /// For each key.
  let descending: [Bool]
  /// For each key, whether nil is not where SQLite sorts it. Empty if it is there for all keys.
  let movesNulls: [Bool]

  init(descending: [Bool], movesNulls: [Bool] = []) {
    self.descending = descending
    self.movesNulls = movesNulls.contains(true) ? movesNulls : []
  }

  /// The number of sort keys per row.
  var width: Int { descending.count }

  /// A number that distinguishes most rows without comparing their keys. It is never smaller for a first key that is
  /// later in this order.
  func rank(of key: StoredValue) -> UInt64 {
    let isDescending = descending.first == true
    if movesNulls.first == true, key.isNull { return isDescending ? 0 : .max }
    return isDescending ? ~key.indexPrefix : key.indexPrefix
  }

  /// Compares two first keys: negative, zero or positive.
  func keyOrder(_ left: StoredValue, _ right: StoredValue) -> Int {
    descending.isEmpty ? left.order(inIndexWith: right) : keyOrder(left, right, at: 0)
  }

  /// Compares two keys at an index: negative, zero or positive.
  func keyOrder(_ left: StoredValue, _ right: StoredValue, at index: Int) -> Int {
    let order = left.order(inIndexWith: right)
    if !movesNulls.isEmpty, movesNulls[index], left.isNull != right.isNull { return descending[index] ? order : -order }
    return descending[index] ? -order : order
  }

  func order(_ left: ResultsEntry, _ right: ResultsEntry) -> Int {
    order((left.rank, left.id), { left.keys[$0] }, (right.rank, right.id), { right.keys[$0] })
  }

  /// Compares two rows: negative, zero or positive. It is zero only for the same row with the same keys.
  @inline(__always) func order(
    _ left: (rank: UInt64, id: Int64), _ leftKey: (Int) -> StoredValue, _ right: (rank: UInt64, id: Int64),
    _ rightKey: (Int) -> StoredValue
  ) -> Int {
    if left.rank != right.rank { return left.rank < right.rank ? -1 : 1 }
    for index in 0..<width {
      let order = keyOrder(leftKey(index), rightKey(index), at: index)
      if order != 0 { return order }
    }
    return left.id < right.id ? -1 : left.id > right.id ? 1 : 0
  }
}
