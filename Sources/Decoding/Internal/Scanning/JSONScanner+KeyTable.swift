/// The index of an object with many keys, which makes looking them up in any order take time proportional to their
/// number.
///
/// It is a hash table with open addressing over words of the arena; each word is an entry's position plus one. The hash
/// is seeded, because a document must not be able to choose keys that collide.
extension JSONScanner {
  /// The number of recorded keys at which an object is indexed; below it, linear search is faster.
  static let indexThreshold: UInt32 = 32

  /// The limit of recording in words: positions in the arena and in tables four times its size fit into 31 bits.
  static let arenaLimit = 1 << 28

  func findInTable(_ node: UnsafeMutablePointer<ValueNode>, _ key: ByteView, _ hash: UInt32, _ tag: UInt32)
    -> Int
  {
    let mask = node.pointee.tableSize &- 1
    var slot = hash & mask
    while true {
      let word = core.pointee.arena[Int(node.pointee.table) &+ Int(slot)]
      if word == 0 { return -1 }
      let position = Int(word) &- 1
      if entry(position).pointee.hash == hash, isKey(position, tag, key) { return position }
      slot = (slot &+ 1) & mask
    }
  }

  /// Adds an entry, and creates or grows the table; false if a key with the same name exists.
  @inline(never)
  func addToTable(_ index: Int, _ position: Int) -> Bool {
    let node = node(index)
    if node.pointee.table < 0 {
      makeTable(node, size: JSONScanner.indexThreshold * 4)
    } else if (node.pointee.keyCount &+ 1) &* 2 > node.pointee.tableSize {
      makeTable(node, size: node.pointee.tableSize * 4)
    }
    return insertNew(node, position)
  }

  /// Adds an entry to the table unless one with the same name exists.
  private func insertNew(_ node: UnsafeMutablePointer<ValueNode>, _ position: Int) -> Bool {
    // Unescaping for a comparison would overwrite the scratch bytes that may contain the name, so such names are
    // compared as copies.
    let isScratch =
      entry(position).pointee.length & (KeyEntry.escapedBit | KeyEntry.convertedBit) == KeyEntry.escapedBit
    let name = keyName(position)
    let hash = keyHash(name)
    entry(position).pointee.hash = hash
    let found =
      isScratch
      ? Array(UnsafeBufferPointer(start: name.base, count: name.count)).withUnsafeBytes {
        findInTable(node, ByteView($0), hash, entry(position).pointee.tag)
      } : findInTable(node, name, hash, entry(position).pointee.tag)
    if found >= 0 { return false }
    insert(node, position, hash)
    return true
  }

  private func insert(_ node: UnsafeMutablePointer<ValueNode>, _ position: Int, _ hash: UInt32) {
    let mask = node.pointee.tableSize &- 1
    var slot = hash & mask
    while core.pointee.arena[Int(node.pointee.table) &+ Int(slot)] != 0 { slot = (slot &+ 1) & mask }
    core.pointee.arena[Int(node.pointee.table) &+ Int(slot)] = UInt32(truncatingIfNeeded: position &+ 1)
  }

  private func makeTable(_ node: UnsafeMutablePointer<ValueNode>, size: UInt32) {
    let isFirst = node.pointee.table < 0
    let table = reserve(Int(size))
    (core.pointee.arena + table).update(repeating: 0, count: Int(size))
    node.pointee.table = Int32(truncatingIfNeeded: table)
    node.pointee.tableSize = size
    var position = node.pointee.head
    var previous: Int32 = -1
    while position >= 0 {
      let entry = entry(Int(position))
      if !isFirst {
        insert(node, Int(position), entry.pointee.hash)
        previous = position
      } else if insertNew(node, Int(position)) {
        previous = position
      } else {
        // Duplicate members were recorded while there was no table to detect them.
        self.entry(Int(previous)).pointee.next = entry.pointee.next
        if entry.pointee.next < 0 { node.pointee.tail = previous }
        node.pointee.keyCount &-= 1
      }
      position = entry.pointee.next
    }
  }

  /// Hashes a name with a secret seed.
  func keyHash(_ key: ByteView) -> UInt32 { UInt32(truncatingIfNeeded: key.hash(seed: core.pointee.seed) >> 32) }
}

extension ByteView {
  /// Hashes eight bytes at a time, multiplied to full width and folded.
  @inline(__always)
  func hash(seed: UInt64) -> UInt64 {
    let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    func mix(_ word: UInt64) {
      let product = (hash ^ word).multipliedFullWidth(by: multiplier ^ seed << 1 | 1)
      hash = product.high ^ product.low
    }
    var index = 0
    while index &+ 8 <= count {
      mix(load8(index))
      index &+= 8
    }
    var rest: UInt64 = 0
    while index < count {
      rest = rest << 8 | UInt64(self[index])
      index &+= 1
    }
    mix(rest)
    mix(multiplier)
    return hash
  }
}
