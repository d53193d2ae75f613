/// Counts how often each relationship was fetched separately since the closure began.
struct FaultCounter {
  private(set) var byPath: [String: Int] = [:]

  mutating func record(_ path: String) { byPath[path, default: 0] += 1 }

  mutating func removeAll() { if !byPath.isEmpty { byPath.removeAll(keepingCapacity: true) } }
}
