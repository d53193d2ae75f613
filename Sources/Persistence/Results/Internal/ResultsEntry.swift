/// One row that is inserted into or removed from results: its id and its sort keys. Nothing else of the object is
/// stored.
struct ResultsEntry: Sendable {
  let id: Int64
  /// The rank of the first key in the order: see ``ResultsOrder/rank(of:)``.
  let rank: UInt64
  /// The first sort key, or `null` if rows are sorted only by id.
  let key: StoredValue
  /// The second sort key, or `null`. It is not part of `others`, because entries are created by the thousand, and an
  /// array needs separate memory.
  let second: StoredValue
  let others: [StoredValue]

  init(
    id: Int64, in order: ResultsOrder, key: StoredValue = .null, second: StoredValue = .null,
    others: [StoredValue] = []
  ) {
    self.id = id
    rank = order.rank(of: key)
    self.key = key
    self.second = second
    self.others = others
  }

  /// One of the sort keys.
  func key(_ index: Int) -> StoredValue {
    switch index {
    case 0: key
    case 1: second
    default: others[index - 2]
    }
  }
}
