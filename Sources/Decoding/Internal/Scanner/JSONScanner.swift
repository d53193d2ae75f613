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
  func entry(_ position: Int) -> KeyEntry {
    assert(position >= 0 && position &+ KeyEntry.size <= core.pointee.arenaCount)
    return KeyEntry(words: core.pointee.arena + position)
  }

  /// Records that the value from `start` to `end` has been read.
  @inline(__always)
  func took(_ start: Int, _ end: Int) {
    core.pointee.lastStart = start
    core.pointee.lastEnd = end
  }

  @inline(never)
  func setFault(_ offset: Int, _ kind: ScannerCore.FaultKind = .syntax) {
    if core.pointee.fault < 0 {
      core.pointee.fault = offset
      core.pointee.faultKind = kind
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
    let capacity = core.pointee.nodeCapacity * 2
    let grown = UnsafeMutablePointer<ValueNode>.allocate(capacity: capacity)
    grown.moveInitialize(from: core.pointee.nodes, count: core.pointee.nodeCount)
    core.pointee.nodes.deallocate()
    core.pointee.nodes = grown
    core.pointee.nodeCapacity = capacity
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
    let used = core.pointee.arenaCount
    let capacity = max(core.pointee.arenaCapacity * 2, used + count)
    let grown = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    grown.initialize(repeating: 0, count: capacity)
    grown.update(from: core.pointee.arena, count: used)
    core.pointee.arena.deallocate()
    core.pointee.arena = grown
    core.pointee.arenaCapacity = capacity
  }

  @inline(never)
  func growNumbers() {
    let capacity = core.pointee.numberCapacity
    let grown = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
    grown.initialize(repeating: 0, count: capacity * 2)
    grown.update(from: core.pointee.numbers, count: capacity)
    core.pointee.numbers.deallocate()
    core.pointee.numbers = grown
    core.pointee.numberCapacity = capacity * 2
  }
}
