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
  private var indices: [Key: Int] = [:]
  // The first node closes the ring: it is newer than the newest and older than the oldest.
  private var nodes: [Node] = []
  private var free: [Int] = []

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { indices.count }

  /// Returns the value and makes it the most recently used.
  mutating func use(_ key: Key) -> Value? {
    guard let index = indices[key] else { return nil }
    if nodes[0].older != index {
      unlink(index)
      link(index)
    }
    return nodes[index].value
  }

  /// Returns the value without changing its age.
  func peek(_ key: Key) -> Value? {
    indices[key].flatMap { nodes[$0].value }
  }

  /// Sets a value and discards others until all fit. A value that exceeds the limit on its own is not stored.
  mutating func set(_ key: Key, _ value: Value, cost: Int) {
    remove(key)
    guard cost <= limit else { return }
    if nodes.isEmpty { nodes.append(Node(key: key, value: nil, cost: 0, newer: 0, older: 0)) }
    let node = Node(key: key, value: value, cost: cost, newer: 0, older: 0)
    let index: Int
    if let unused = free.popLast() {
      index = unused
      nodes[index] = node
    } else {
      index = nodes.count
      nodes.append(node)
    }
    indices[key] = index
    self.cost += cost
    link(index)
    while self.cost > limit { remove(nodes[nodes[0].newer].key) }
  }

  mutating func remove(_ key: Key) {
    guard let index = indices.removeValue(forKey: key) else { return }
    unlink(index)
    cost -= nodes[index].cost
    nodes[index].value = nil
    free.append(index)
  }

  mutating func removeAll() {
    self = LRU(limit: limit)
  }

  private mutating func link(_ index: Int) {
    let newest = nodes[0].older
    nodes[index].newer = 0
    nodes[index].older = newest
    nodes[newest].newer = index
    nodes[0].older = index
  }

  private mutating func unlink(_ index: Int) {
    let (newer, older) = (nodes[index].newer, nodes[index].older)
    nodes[newer].older = older
    nodes[older].newer = newer
  }
}
