/// The order of the rows of live results: SQLite's order, with the ids last.
struct ResultsOrder: Sendable {
  /// For each key.
  let descending: [Bool]

  /// The number of sort keys per row.
  var width: Int { descending.count }

  /// A number that distinguishes most rows without comparing their keys. It is never smaller for a first key that is
  /// later in this order.
  func rank(of key: StoredValue) -> UInt64 { descending.first == true ? ~key.indexPrefix : key.indexPrefix }

  /// Compares two first keys: negative, zero or positive.
  func keyOrder(_ left: StoredValue, _ right: StoredValue) -> Int {
    descending.isEmpty ? left.order(inIndexWith: right) : keyOrder(left, right, at: 0)
  }

  /// Compares two keys at an index: negative, zero or positive.
  func keyOrder(_ left: StoredValue, _ right: StoredValue, at index: Int) -> Int {
    let order = left.order(inIndexWith: right)
    return descending[index] ? -order : order
  }

  /// Compares two rows: negative, zero or positive. It is zero only for the same row with the same keys.
  func order(_ left: ResultsEntry, _ right: ResultsEntry) -> Int {
    if left.rank != right.rank { return left.rank < right.rank ? -1 : 1 }
    for index in 0..<width {
      let order = keyOrder(left.key(index), right.key(index), at: index)
      if order != 0 { return order }
    }
    return left.id < right.id ? -1 : left.id > right.id ? 1 : 0
  }
}
