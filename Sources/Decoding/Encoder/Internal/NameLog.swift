/// Hashes of the names in the open objects, to detect duplicate names.
///
/// If two names have the same hash, the only effect is a needless pass over the document.
struct NameLog {
  private var hashes: ContiguousArray<UInt64> = []
  /// Sets for objects with many names, by the number of names before theirs.
  private var sets: [Int: Set<UInt64>] = [:]

  /// Up to this many names are compared one by one.
  private static let few = 24

  var count: Int { hashes.count }

  /// Removes the names after the given number.
  mutating func cut(to count: Int) {
    while hashes.count > count { hashes.removeLast() }
    if !sets.isEmpty { sets = sets.filter { $0.key < count } }
  }

  /// Adds a name to an object whose names begin at `first`; false if the object may already have it.
  @inline(__always)
  mutating func add(_ name: UnsafeBufferPointer<UInt8>, from first: Int) -> Bool {
    let hash = ByteView(UnsafeRawBufferPointer(name)).hash(seed: 0)
    if hashes.count - first >= Self.few { return addToMany(hash, from: first) }
    var isNew = true
    for index in first..<hashes.count where hashes[index] == hash { isNew = false }
    hashes.append(hash)
    return isNew
  }

  /// Whether an object whose names begin at `first` may have the name.
  func mayHave(_ name: String, from first: Int) -> Bool {
    let hash = name.withByteView { $0.hash(seed: 0) }
    return sets[first]?.contains(hash) ?? hashes[first...].contains(hash)
  }

  @inline(never)
  private mutating func addToMany(_ hash: UInt64, from first: Int) -> Bool {
    if sets[first] == nil { sets[first] = Set(hashes[first...]) }
    return sets[first]?.insert(hash).inserted ?? true
  }
}
