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
    let hash = Self.hash(name)
    if hashes.count - first >= Self.few { return addToMany(hash, from: first) }
    var isNew = true
    for index in first..<hashes.count where hashes[index] == hash { isNew = false }
    hashes.append(hash)
    return isNew
  }

  /// Whether an object whose names begin at `first` may have the name.
  func mayHave(_ name: String, from first: Int) -> Bool {
    var name = name
    let hash = name.withUTF8(Self.hash)
    return sets[first]?.contains(hash) ?? hashes[first...].contains(hash)
  }

  @inline(never)
  private mutating func addToMany(_ hash: UInt64, from first: Int) -> Bool {
    if sets[first] == nil { sets[first] = Set(hashes[first...]) }
    return sets[first]?.insert(hash).inserted ?? true
  }

  @inline(__always)
  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let bytes = UnsafeRawBufferPointer(name)
    var hash = UInt64(truncatingIfNeeded: bytes.count)
    var index = 0
    while index &+ 8 <= bytes.count {
      hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index &+= 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index &+= 1
    }
    return mix(hash ^ rest)
  }

  @inline(__always)
  private static func mix(_ bits: UInt64) -> UInt64 {
    let product = bits &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }
}
