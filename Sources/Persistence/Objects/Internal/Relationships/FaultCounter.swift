/// Counts how often each relationship was fetched separately since the closure began.
struct FaultCounter {
  private var counts: [ObjectIdentifier: (relationship: Relationship, count: Int)] = [:]

  mutating func record(_ relationship: Relationship) {
    counts[ObjectIdentifier(relationship), default: (relationship, 0)].count += 1
  }

  var byPath: [String: Int] {
    Dictionary(counts.values.map { ($0.relationship.path, $0.count) }) { $0 + $1 }
  }

  mutating func removeAll() { if !counts.isEmpty { counts.removeAll(keepingCapacity: true) } }
}
