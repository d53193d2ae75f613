/// How often each relationship was fetched on its own since the closure began.
struct FaultCounter {
  private var counts: [ObjectIdentifier: (relationship: Relationship, all: Int, alone: Int)] = [:]

  /// - Parameter isAlone: whether the object came with no others.
  /// - Returns: How often that was so before.
  @discardableResult mutating func record(_ relationship: Relationship, isAlone: Bool) -> Int {
    let key = ObjectIdentifier(relationship)
    let before = counts[key]?.alone ?? 0
    counts[key, default: (relationship, 0, 0)].all += 1
    if isAlone { counts[key]?.alone += 1 }
    return before
  }

  var byPath: [String: Int] {
    Dictionary(counts.values.map { ($0.relationship.path, $0.all) }) { $0 + $1 }
  }

  mutating func removeAll() { if !counts.isEmpty { counts.removeAll(keepingCapacity: true) } }
}
