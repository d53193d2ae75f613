/// One row of a result: its id, and what it is sorted by. Nothing else of the object is held.
struct ResultsEntry: Sendable {
  let id: Int64
  /// The first sort key; `null` where rows are sorted by their ids alone.
  let key: StoredValue
  /// The second one, or `null`. It stands here and not among the others because rows are copied by the thousand: an array of
  /// their own would have to be found in memory and counted for each.
  let second: StoredValue
  let others: [StoredValue]

  init(id: Int64, key: StoredValue = .null, second: StoredValue = .null, others: [StoredValue] = []) {
    self.id = id
    self.key = key
    self.second = second
    self.others = others
  }
}

/// The order of a result's rows: SQLite's, with the ids last.
struct ResultsOrder: Sendable {
  /// By key.
  let descending: [Bool]

  func precedes(_ left: ResultsEntry, _ right: ResultsEntry) -> Bool {
    var order = keyOrder(left.key, right.key)
    if order != 0 { return order < 0 }
    if descending.count > 1 {
      order = left.second.order(inIndexWith: right.second)
      if order != 0 { return descending[1] ? order > 0 : order < 0 }
    }
    for index in left.others.indices {
      order = left.others[index].order(inIndexWith: right.others[index])
      if order != 0 { return descending[index + 2] ? order > 0 : order < 0 }
    }
    return left.id < right.id
  }

  /// Of first keys: negative, zero or positive.
  func keyOrder(_ left: StoredValue, _ right: StoredValue) -> Int {
    let order = left.order(inIndexWith: right)
    return descending.first == true ? -order : order
  }

  func isSame(_ left: ResultsEntry, _ right: ResultsEntry) -> Bool {
    guard left.id == right.id, left.key.order(inIndexWith: right.key) == 0,
      left.second.order(inIndexWith: right.second) == 0
    else { return false }
    return zip(left.others, right.others).allSatisfy { $0.order(inIndexWith: $1) == 0 }
  }
}
