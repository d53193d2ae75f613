/// One row of a result on its way there, or from there: its id, and what it is sorted by. Nothing else of the object is
/// held.
struct ResultsEntry: Sendable {
  let id: Int64
  /// What the order makes of the first key: see ``ResultsOrder/rank(of:)``.
  let rank: UInt64
  /// The first sort key; `null` where rows are sorted by their ids alone.
  let key: StoredValue
  /// The second one, or `null`. It stands here and not among the others because entries are made by the thousand, and
  /// an array takes memory of its own.
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
