/// A handle on the state of one decode; the scanning code is in its extensions.
///
/// The raw pointers are safe for these reasons. `DecodingState` owns the core and every block in it, and frees them
/// when it is deallocated. Everything that holds a `JSONScanner` is either held by that state or holds it. Blocks grow
/// only here, and no pointer into one is used across a call that may grow it.
struct JSONScanner {
  let core: UnsafeMutablePointer<ScannerCore>

  @inline(__always) var text: ByteView { core.pointee.text }

  @inline(__always)
  func node(_ index: Int) -> UnsafeMutablePointer<ValueNode> {
    assert(index >= 0 && index < core.pointee.nodeCount)
    return core.pointee.nodes + index
  }

  @inline(__always)
  func entry(_ position: Int) -> UnsafeMutablePointer<KeyEntry> {
    assert(position >= 0 && position &+ KeyEntry.size <= core.pointee.arenaCount)
    // An entry is eight of the arena's words, which all its fields are. Words are written before they are read as one.
    return UnsafeMutableRawPointer(core.pointee.arena + position).assumingMemoryBound(to: KeyEntry.self)
  }

  /// Records that the value from `start` to `end` has been read.
  @inline(__always)
  func took(_ start: Int, _ end: Int) {
    core.pointee.lastStart = start
    core.pointee.lastEnd = end
  }

  @inline(never)
  func setFault(_ offset: Int, _ reason: JSONSyntaxError.Reason = .unreadable) {
    if core.pointee.fault < 0 {
      core.pointee.fault = offset
      core.pointee.faultReason = reason
    }
  }

  /// Continues after an invalid string; false if there was a fault instead.
  @inline(never)
  func passUnreadable() -> Bool {
    guard core.pointee.fault < 0, core.pointee.unreadable >= 0 else { return false }
    core.pointee.unreadable = -1
    return true
  }

  // Nodes.

  @inline(__always)
  func pushNode(_ value: UInt32, parent: Int, key: UInt32, _ kind: ValueNode.KeyKind) -> Int {
    if core.pointee.nodeCount == core.pointee.nodeCapacity { growNodes() }
    let index = core.pointee.nodeCount
    core.pointee.nodeCount = index &+ 1
    let node = core.pointee.nodes + index
    node.pointee.value = value
    node.pointee.parent = Int32(truncatingIfNeeded: parent)
    node.pointee.key = key
    node.pointee.keyKind = kind
    node.pointee.phase = .closed
    node.pointee.invalid = 0
    node.pointee.depth = parent < 0 ? 0 : core.pointee.nodes[parent].depth &+ 1
    return index
  }

  /// Removes all nodes and what they have recorded.
  func dropNodes() {
    core.pointee.nodeCount = 0
    core.pointee.frame = 0
    core.pointee.arenaCount = 0
    core.pointee.arenaFloor = 0
  }

  /// Whether the node still belongs to the value; used by containers that outlive their `init(from:)`.
  @inline(__always)
  func isLive(_ node: Int, _ value: UInt32) -> Bool {
    node < core.pointee.nodeCount && core.pointee.nodes[node].value == value
  }

  @inline(never)
  private func growNodes() {
    core.pointee.nodeCapacity *= 2
    core.pointee.nodes.grow(to: core.pointee.nodeCapacity, keeping: core.pointee.nodeCount)
  }

  // The arena.

  /// Allocates words from the arena and returns their position.
  @inline(__always)
  func reserve(_ count: Int) -> Int {
    let position = core.pointee.arenaCount
    if position &+ count > core.pointee.arenaCapacity { growArena(count) }
    core.pointee.arenaCount = position &+ count
    return position
  }

  @inline(__always)
  func cutArena(_ mark: Int) {
    core.pointee.arenaCount = max(mark, core.pointee.arenaFloor)
  }

  @inline(never)
  private func growArena(_ count: Int) {
    core.pointee.arenaCapacity = max(core.pointee.arenaCapacity * 2, core.pointee.arenaCount + count)
    core.pointee.arena.grow(to: core.pointee.arenaCapacity, keeping: core.pointee.arenaCount)
  }

  @inline(never)
  func growNumbers() {
    let count = core.pointee.numberCapacity
    core.pointee.numberCapacity *= 2
    core.pointee.numbers.grow(to: core.pointee.numberCapacity, keeping: count)
  }

  /// Calls a closure with a scanner of a text outside a decode. It supports cursors, but has no space for nodes, keys
  /// or numbers.
  static func scanning<Result>(_ text: ByteView, depthLimit: Int, _ body: (JSONScanner) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(depthLimit, 1) + 1) { kinds in
      // Nothing is allocated, because errors about small documents should be cheap. The capacity is not zero, so there
      // is an address.
      var core = ScannerCore(
        text: text, nodes: nowhere(), nodeCapacity: 0, arena: nowhere(), arenaCapacity: 0, scratch: nowhere(),
        scratchCapacity: 0, numbers: nowhere(), numberCapacity: 0, kinds: kinds.baseAddress.unsafelyUnwrapped,
        depthLimit: depthLimit, seed: 0)
      defer { if core.scratchCapacity > 0 { core.scratch.deallocate() } }
      return withUnsafeMutablePointer(to: &core) { body(JSONScanner(core: $0)) }
    }
  }

  /// Returns an address for memory that does not exist.
  private static func nowhere<Element>() -> UnsafeMutablePointer<Element> {
    UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }
}

extension UnsafeMutablePointer {
  /// Moves the first elements to larger memory.
  mutating func grow(to capacity: Int, keeping count: Int) {
    let grown = Self.allocate(capacity: capacity)
    grown.moveInitialize(from: self, count: count)
    deallocate()
    self = grown
  }
}
