/// The order of a result's rows: SQLite's, with the ids last.
struct ResultsOrder: Sendable {
  /// By key.
  let descending: [Bool]

  /// How many sort keys a row has.
  var width: Int { descending.count }

  /// A number that decides between most rows, so that their keys need not be looked at: it rises as the first key does
  /// in this order, or stays the same.
  func rank(of key: StoredValue) -> UInt64 { descending.first == true ? ~key.indexPrefix : key.indexPrefix }

  /// Of first keys: negative, zero or positive.
  func keyOrder(_ left: StoredValue, _ right: StoredValue) -> Int {
    descending.isEmpty ? left.order(inIndexWith: right) : keyOrder(left, right, at: 0)
  }

  /// Of the keys at an index: negative, zero or positive.
  func keyOrder(_ left: StoredValue, _ right: StoredValue, at index: Int) -> Int {
    let order = left.order(inIndexWith: right)
    return descending[index] ? -order : order
  }

  /// Negative, zero or positive; zero only of a row and itself, with the same keys.
  func order(_ left: ResultsEntry, _ right: ResultsEntry) -> Int {
    if left.rank != right.rank { return left.rank < right.rank ? -1 : 1 }
    for index in 0..<width {
      let order = keyOrder(left.key(index), right.key(index), at: index)
      if order != 0 { return order }
    }
    return left.id < right.id ? -1 : left.id > right.id ? 1 : 0
  }
}
