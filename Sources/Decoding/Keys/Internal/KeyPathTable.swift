/// The entries of the keys that a container is asked for. They are almost always the cases of one enumeration, and then
/// found by their bits.
struct KeyPathTable {
  private var entries: [KeyPathCache.Entry?] = []
  private var isOther = false

  @inline(__always)
  mutating func entry<Key: NestedCodingKey>(for key: Key) -> KeyPathCache.Entry {
    guard MemoryLayout<Key>.size <= 1, !isOther else { return KeyPathCache.shared.entry(for: key.rawValue) }
    let bits = Int(withUnsafeBytes(of: key) { $0.first ?? 0 })
    if bits < entries.count, let known = entries[bits] { return known }
    return enter(key, bits)
  }

  @inline(never)
  private mutating func enter<Key: NestedCodingKey>(_ key: Key, _ bits: Int) -> KeyPathCache.Entry {
    let entry = KeyPathCache.shared.entry(for: key.rawValue)
    isOther = Mirror(reflecting: key).displayStyle != .enum
    if isOther { return entry }
    while entries.count <= bits { entries.append(nil) }
    entries[bits] = entry
    return entry
  }
}
