#if os(Linux)
/// The transfers in flight, ordered by deadline: a binary heap whose elements know their indices.
///
/// Inserting, moving and removing cost O(log n).
struct DeadlineQueue {
  private var entries: [(due: Int, transfer: CurlTransfer)] = []

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  var first: (due: Int, transfer: CurlTransfer)? { entries.first }
  var last: CurlTransfer? { entries.last?.transfer }

  /// Visits the transfers in no particular order.
  func forEach(_ body: (CurlTransfer) -> Void) {
    for entry in entries { body(entry.transfer) }
  }

  mutating func insert(_ transfer: CurlTransfer, due: Int) {
    transfer.place = entries.count
    entries.append((due, transfer))
    rise(from: transfer.place)
  }

  mutating func move(_ transfer: CurlTransfer, to due: Int) {
    let place = transfer.place
    let old = entries[place].due
    guard due != old else { return }
    entries[place].due = due
    if due < old { rise(from: place) } else { sink(from: place) }
  }

  mutating func remove(_ transfer: CurlTransfer) {
    let place = transfer.place
    guard let last = entries.popLast(), last.transfer !== transfer else { return }
    entries[place] = last
    last.transfer.place = place
    rise(from: place)
    sink(from: last.transfer.place)
  }

  private mutating func rise(from place: Int) {
    var place = place
    while place > 0, entries[place].due < entries[(place - 1) / 2].due {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(from place: Int) {
    var place = place
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < entries.count && entries[child].due < entries[least].due
      {
        least = child
      }
      guard least != place else { return }
      swap(place, least)
      place = least
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    entries.swapAt(one, other)
    entries[one].transfer.place = one
    entries[other].transfer.place = other
  }
}
#endif
