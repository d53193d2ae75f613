#if canImport(CLarderCurl)
/// What a ``DeadlineQueue`` orders.
protocol Deadlined: AnyObject {
  /// The index in the queue.
  var heapIndex: Int { get set }
}

/// The transfers in flight, ordered by deadline: a binary heap whose elements store their indices.
///
/// Inserting, moving and removing cost O(log n).
struct DeadlineQueue<Transfer: Deadlined> {
  private var entries: [(due: Int, transfer: Transfer)] = []

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  var first: (due: Int, transfer: Transfer)? { entries.first }
  var last: Transfer? { entries.last?.transfer }

  /// Visits the transfers in no particular order.
  func forEach(_ body: (Transfer) -> Void) {
    for entry in entries { body(entry.transfer) }
  }

  mutating func insert(_ transfer: Transfer, due: Int) {
    transfer.heapIndex = entries.count
    entries.append((due, transfer))
    rise(from: transfer.heapIndex)
  }

  /// Moves a transfer whose deadline is now earlier. A later deadline is noticed when the old one passes.
  mutating func advance(_ transfer: Transfer, to due: Int) {
    if due < entries[transfer.heapIndex].due { move(transfer, to: due) }
  }

  mutating func move(_ transfer: Transfer, to due: Int) {
    let index = transfer.heapIndex
    let old = entries[index].due
    guard due != old else { return }
    entries[index].due = due
    if due < old { rise(from: index) } else { sink(from: index) }
  }

  mutating func remove(_ transfer: Transfer) {
    let index = transfer.heapIndex
    guard let last = entries.popLast(), last.transfer !== transfer else { return }
    entries[index] = last
    last.transfer.heapIndex = index
    rise(from: index)
    sink(from: last.transfer.heapIndex)
  }

  private mutating func rise(from index: Int) {
    var index = index
    while index > 0, entries[index].due < entries[(index - 1) / 2].due {
      swap(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(from index: Int) {
    var index = index
    while true {
      var least = index
      for child in 2 * index + 1...2 * index + 2 where child < entries.count && entries[child].due < entries[least].due
      {
        least = child
      }
      guard least != index else { return }
      swap(index, least)
      index = least
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    entries.swapAt(one, other)
    entries[one].transfer.heapIndex = one
    entries[other].transfer.heapIndex = other
  }
}
#endif
