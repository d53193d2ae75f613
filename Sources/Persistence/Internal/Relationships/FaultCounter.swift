/// How often each relationship was fetched on its own since the closure began.
struct FaultCounter {
  private var counts: [ObjectIdentifier: Int] = [:]

  func count(_ key: ObjectIdentifier) -> Int { counts.isEmpty ? 0 : counts[key] ?? 0 }

  mutating func record(_ relationship: Relationship) { counts[ObjectIdentifier(relationship), default: 0] += 1 }

  mutating func removeAll() { if !counts.isEmpty { counts.removeAll(keepingCapacity: true) } }
}
