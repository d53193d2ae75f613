/// One row that is inserted into or removed from results: its id and its sort keys. Nothing else of the object is
/// stored.
struct ResultsEntry: Sendable {
  let id: Int64
  /// The rank of the first key in the order: see ``ResultsOrder/rank(of:)``.
  let rank: UInt64
  let keys: [StoredValue]

  init(id: Int64, in order: ResultsOrder, keys: [StoredValue] = []) {
    self.id = id
    rank = order.rank(of: keys.first ?? .null)
    self.keys = keys
  }

  /// The first sort key, or `null` if rows are sorted only by id.
  var key: StoredValue { keys.first ?? .null }
}
