/// A dictionary that discards its least recently used members when the sum of their costs exceeds a limit.
///
/// Every operation takes amortized constant time. The order is a ring of indices into one array, so nothing is
/// allocated per use.
struct LRU<Key: Hashable & Sendable, Value: Sendable> {
  private struct Node {
    var key: Key
    var value: Value?
    var cost: Int
    var newer: Int
    var older: Int
  }

  let limit: Int
  private(set) var cost = 0
  private var places: [Key: Int] = [:]
  // The first node closes the ring: it is newer than the newest and older than the oldest.
  private var nodes: [Node] = []
  private var free: [Int] = []

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { places.count }

  /// Returns the value and makes it the most recently used.
  mutating func use(_ key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    if nodes[0].older != place {
      unlink(place)
      link(place)
    }
    return nodes[place].value
  }

  /// Returns the value without changing its age.
  func peek(_ key: Key) -> Value? {
    places[key].flatMap { nodes[$0].value }
  }

  /// Sets a value and discards others until all fit. A value that exceeds the limit on its own is not stored.
  mutating func set(_ key: Key, _ value: Value, cost: Int) {
    remove(key)
    guard cost <= limit else { return }
    if nodes.isEmpty { nodes.append(Node(key: key, value: nil, cost: 0, newer: 0, older: 0)) }
    let node = Node(key: key, value: value, cost: cost, newer: 0, older: 0)
    let place: Int
    if let unused = free.popLast() {
      place = unused
      nodes[place] = node
    } else {
      place = nodes.count
      nodes.append(node)
    }
    places[key] = place
    self.cost += cost
    link(place)
    while self.cost > limit { remove(nodes[nodes[0].newer].key) }
  }

  mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    unlink(place)
    cost -= nodes[place].cost
    nodes[place].value = nil
    free.append(place)
  }

  mutating func removeAll() {
    self = LRU(limit: limit)
  }

  /// The keys, most recently used first.
  var keys: [Key] {
    guard !nodes.isEmpty else { return [] }
    var keys: [Key] = []
    var place = nodes[0].older
    while place != 0 {
      keys.append(nodes[place].key)
      place = nodes[place].older
    }
    return keys
  }

  private mutating func link(_ place: Int) {
    let newest = nodes[0].older
    nodes[place].newer = 0
    nodes[place].older = newest
    nodes[newest].newer = place
    nodes[0].older = place
  }

  private mutating func unlink(_ place: Int) {
    let (newer, older) = (nodes[place].newer, nodes[place].older)
    nodes[newer].older = older
    nodes[older].newer = newer
  }
}
