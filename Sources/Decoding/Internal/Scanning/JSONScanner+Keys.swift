/// The result of a step to the next key; zero or more is the position of the key's entry.
enum KeyStep {
  static let end = -1
  static let fault = -2
}

extension JSONScanner {
  @inline(__always)
  func openObject(_ index: Int) {
    let node = node(index)
    node.pointee.phase = .first
    node.pointee.cursor = node.pointee.value &+ 1
    node.pointee.head = -1
    node.pointee.tail = -1
    node.pointee.hint = -1
    node.pointee.child = -1
    node.pointee.keyCount = 0
    node.pointee.table = -1
    node.pointee.seen = 0
    node.pointee.isEnumerated = false
    node.pointee.unreadable = 0
  }

  /// Finds a key, first among those already recorded, then by scanning on, which records the keys on the way.
  ///
  /// If keys are requested in the order of the text, each is examined once. If several members have the same name, the
  /// first one counts.
  @inline(never)
  func findKey(_ index: Int, _ key: ByteView) -> Int {
    let node = node(index)
    let tag = keyTag(key)
    if node.pointee.seen & tagBit(tag) != 0 {
      let found = node.pointee.table >= 0 ? findInTable(node, key, keyHash(key), tag) : findInList(node, tag, key)
      if found >= 0 {
        leaveMember(node)
        return found
      }
    }
    while true {
      let entry = nextKey(index)
      if entry < 0 || isKey(entry, tag, key) { return entry }
    }
  }

  /// Called before going back to an earlier member. Records the end of the value that was read last, which would be
  /// lost.
  @inline(__always)
  private func leaveMember(_ node: UnsafeMutablePointer<ValueNode>) {
    guard node.pointee.phase == .value, core.pointee.lastStart == Int(node.pointee.member) else { return }
    node.pointee.cursor = UInt32(truncatingIfNeeded: core.pointee.lastEnd)
    node.pointee.phase = .afterValue
  }

  @inline(__always)
  private func findInList(_ node: UnsafeMutablePointer<ValueNode>, _ tag: UInt32, _ key: ByteView) -> Int {
    // After `allKeys`, which removes duplicate names, members are mostly requested in its order.
    let hint = node.pointee.isEnumerated ? node.pointee.hint : -1
    let start = hint < 0 ? node.pointee.head : entry(Int(hint)).pointee.next
    let found = find(from: start, to: -1, tag, key)
    let position = found >= 0 ? found : find(from: node.pointee.head, to: start, tag, key)
    if position >= 0 { node.pointee.hint = position }
    return Int(position)
  }

  @inline(__always)
  private func find(from start: Int32, to end: Int32, _ tag: UInt32, _ key: ByteView) -> Int32 {
    var position = start
    while position != end, position >= 0 {
      if isKey(Int(position), tag, key) { return position }
      position = entry(Int(position)).pointee.next
    }
    return -1
  }

  /// Advances to the next member of the object and records its key. Returns the entry, or a `KeyStep`.
  @inline(__always)
  func nextKey(_ index: Int) -> Int {
    while true {
      let (start, length, value) = advance(index)
      if start < 0 { return start }
      let position = reserve(KeyEntry.size)
      let entry = entry(position)
      entry.pointee = KeyEntry(
        key: UInt32(truncatingIfNeeded: start), length: length, value: UInt32(truncatingIfNeeded: value))
      if length & KeyEntry.escapedBit != 0 || core.pointee.convertsKeys {
        guard completeKey(index, position) else {
          guard passUnreadable() else { return KeyStep.fault }
          self.node(index).pointee.unreadable = UInt32(truncatingIfNeeded: start)
          cutArena(position)
          continue
        }
      } else {
        entry.pointee.tag = keyTag(ByteView(text.base + start, count: Int(length)))
      }
      if link(index, position) { return position }
    }
  }

  /// Advances to the value of the next member. Returns where its key starts (or a `KeyStep`), the key's length with
  /// `KeyEntry.escapedBit`, and where the value starts.
  @inline(__always)
  func advance(_ index: Int) -> (start: Int, length: UInt32, value: Int) {
    let node = node(index)
    let text = text
    var cursor = 0
    switch node.pointee.phase {
    case .done: return (KeyStep.end, 0, 0)
    case .value:
      cursor = endOfMember(index)
      if cursor < 0 { return (KeyStep.fault, 0, 0) }
      node.pointee.cursor = UInt32(truncatingIfNeeded: cursor)
      node.pointee.phase = .afterValue
    case .closed, .first, .afterValue: cursor = Int(node.pointee.cursor)
    }
    cursor = text.skipSpace(cursor)
    guard cursor < text.count else { return fault(at: cursor) }
    if text[cursor] == 0x7D {
      node.pointee.phase = .done
      node.pointee.cursor = UInt32(truncatingIfNeeded: cursor &+ 1)
      took(Int(node.pointee.value), cursor &+ 1)
      return (KeyStep.end, 0, 0)
    }
    var name = NameSpan()
    let value = text.nextMember(cursor, isFirst: node.pointee.phase == .first, &name)
    guard value >= 0 else { return fault(at: ~value) }
    guard name.count <= Int(KeyEntry.lengthMask) else { return fault(at: name.start, .tooLarge) }
    node.pointee.member = UInt32(truncatingIfNeeded: value)
    node.pointee.phase = .value
    let length = UInt32(truncatingIfNeeded: name.count) | (name.isEscaped ? KeyEntry.escapedBit : 0)
    return (name.start, length, value)
  }

  /// Appends a recorded key to its object's list, and adds it to the index of an object with many keys.
  ///
  /// Returns false for a duplicate name if it is detected immediately, because it can never be requested.
  @inline(__always)
  private func link(_ index: Int, _ position: Int) -> Bool {
    let node = node(index)
    node.pointee.seen |= tagBit(entry(position).pointee.tag)
    if node.pointee.table >= 0 || node.pointee.keyCount >= JSONScanner.indexThreshold {
      let mark = core.pointee.arenaCount
      guard mark < JSONScanner.arenaLimit else {
        setFault(Int(entry(position).pointee.key), .tooLarge)
        return true
      }
      guard addToTable(index, position) else {
        // The reserved space is released, unless a table was created after it.
        if core.pointee.arenaCount == mark { cutArena(position) } else { keep(index) }
        return false
      }
    }
    if node.pointee.tail >= 0 {
      self.entry(Int(node.pointee.tail)).pointee.next = Int32(truncatingIfNeeded: position)
    } else {
      node.pointee.head = Int32(truncatingIfNeeded: position)
    }
    node.pointee.tail = Int32(truncatingIfNeeded: position)
    node.pointee.keyCount &+= 1
    keep(index)
    return true
  }

  /// Protects the keys of an outer object and their table: the object may continue while an inner `init(from:)` runs.
  @inline(__always)
  private func keep(_ index: Int) {
    if index < core.pointee.frame { core.pointee.arenaFloor = core.pointee.arenaCount }
  }

  /// Whether the entry's key, unescaped and converted, is `key`.
  @inline(__always)
  func isKey(_ position: Int, _ tag: UInt32, _ key: ByteView) -> Bool {
    let entry = entry(position)
    guard entry.pointee.tag == tag else { return false }
    if entry.pointee.length & (KeyEntry.escapedBit | KeyEntry.convertedBit) == 0 {
      return Int(entry.pointee.length) == key.count && text.matches(Int(entry.pointee.key), key)
    }
    return isSpecialKey(position, key)
  }

  @inline(never)
  private func isSpecialKey(_ position: Int, _ key: ByteView) -> Bool {
    let name = keyName(position)
    return name.count == key.count && name.matches(0, key)
  }

  /// Returns the key's bytes in the form that is compared: unescaped and converted. Valid until the next call that
  /// unescapes or records.
  func keyName(_ position: Int) -> ByteView {
    let entry = entry(position)
    let length = Int(entry.pointee.length & KeyEntry.lengthMask)
    if entry.pointee.length & KeyEntry.convertedBit != 0 {
      let words = UnsafeRawPointer(core.pointee.arena + Int(entry.pointee.name))
      return ByteView(words.assumingMemoryBound(to: UInt8.self), count: length)
    }
    if entry.pointee.length & KeyEntry.escapedBit == 0 {
      return ByteView(text.base + Int(entry.pointee.key), count: length)
    }
    return ByteView(core.pointee.scratch, count: max(unescape(Int(entry.pointee.key)), 0))
  }

  /// The cold part of recording a key: unescapes it, converts it, and assigns its tag.
  @inline(never)
  private func completeKey(_ index: Int, _ position: Int) -> Bool {
    if entry(position).pointee.length & KeyEntry.escapedBit != 0, unescape(Int(entry(position).pointee.key)) < 0 {
      return false
    }
    if core.pointee.convertsKeys { convertKey(index, position) }
    entry(position).pointee.tag = keyTag(keyName(position))
    return true
  }

  /// Stores the key as the key decoding strategy converts it, if that differs.
  private func convertKey(_ index: Int, _ position: Int) {
    guard var converted = core.pointee.keyConverter?.convertedKey(keyName(position), ofObjectAt: index) else { return }
    converted.withUTF8 { bytes in
      let length = min(bytes.count, Int(KeyEntry.lengthMask))
      let words = reserve((length + 3) / 4)
      if let source = bytes.baseAddress {
        UnsafeMutableRawPointer(core.pointee.arena + words).copyMemory(from: source, byteCount: length)
      }
      let entry = entry(position)
      entry.pointee.name = UInt32(truncatingIfNeeded: words)
      entry.pointee.length =
        UInt32(truncatingIfNeeded: length) | entry.pointee.length & KeyEntry.escapedBit | KeyEntry.convertedBit
    }
  }

  @inline(never)
  private func fault(
    at offset: Int, _ reason: JSONSyntaxError.Reason = .unreadable
  ) -> (start: Int, length: UInt32, value: Int) {
    setFault(min(offset, text.count), reason)
    return (KeyStep.fault, 0, 0)
  }
}

/// The length and the first, middle and last byte, which distinguish most keys with one comparison.
@inline(__always)
func keyTag(_ key: ByteView) -> UInt32 {
  let count = key.count
  if count == 0 { return 0 }
  return UInt32(truncatingIfNeeded: count) << 16 ^ UInt32(key[0]) << 8 ^ UInt32(key[count &- 1])
    ^ UInt32(key[count >> 1]) << 24
}

@inline(__always)
private func tagBit(_ tag: UInt32) -> UInt64 { 1 << UInt64((tag &* 0x9E37_79B1) >> 26) }
