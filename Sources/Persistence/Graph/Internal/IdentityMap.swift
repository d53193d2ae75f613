/// The objects of a class by id, without owning them. An id selects a branch, one of the branch's 128 leaves, and one
/// of the leaf's 16 objects. Branches and leaves are created and removed with their objects. A leaf with a single
/// object is a tagged pointer to it.
///
/// Ids are dense within a class. A lookup therefore takes three array accesses, and rows from all over a large table
/// need little more memory than adjacent rows. The pointers are unowned: an object removes its own pointer in its
/// `deinit`, and if the map's owner is deinitialized first, it clears the objects' references to itself. Everything
/// happens in one isolation, so a lookup cannot find an object that another thread is releasing.
struct IdentityMap {
  /// By the upper bits of the ids.
  private var branches: UnsafeMutablePointer<Branch?>
  private var capacity = 0
  private var distant: [Int64: UnsafeMutableRawPointer] = [:]
  /// Empty branches for reuse: rows from all over a table repeatedly need one branch each.
  private var spareBranches: ContiguousArray<Branch> = []

  /// Higher branches would make the directory larger than 16 MB. Such ids come only from other programs, and are stored
  /// in a dictionary.
  private static let maximumBranches = 1 << 20
  /// Half a megabyte.
  private static let maximumSpareBranches = 512

  init() { branches = .allocate(capacity: 0) }

  @inline(__always) func object(_ id: Int64) -> ManagedObject? {
    let position = Position(id)
    guard UInt(bitPattern: position.branch) < UInt(bitPattern: capacity) else {
      return distant.isEmpty ? nil : distantObject(id)
    }
    return branches[position.branch]?[position.leaf].object(id).map(Self.object)
  }

  @inline(__always) mutating func insert(_ object: ManagedObject) {
    let id = object._id
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    let position = Position(id)
    guard position.branch >= 0, position.branch < Self.maximumBranches else { return insertDistant(pointer, id) }
    if position.branch >= capacity || branches[position.branch] == nil { makeBranch(position.branch) }
    branches[position.branch]?.insert(pointer, id, in: position.leaf)
  }

  @inline(never) private func distantObject(_ id: Int64) -> ManagedObject? { distant[id].map(Self.object) }

  @inline(never) private mutating func insertDistant(_ pointer: UnsafeMutableRawPointer, _ id: Int64) {
    distant[id] = pointer
  }

  /// Returns whether the object was in the map.
  @discardableResult mutating func remove(_ object: ManagedObject) -> Bool {
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    let position = Position(object._id)
    guard position.branch >= 0, position.branch < capacity else {
      guard distant[object._id] == pointer else { return false }
      distant[object._id] = nil
      return true
    }
    guard branches[position.branch]?.remove(pointer, object._id, in: position.leaf) == true else { return false }
    if let branch = branches[position.branch], branch.used == 0 { removeBranch(branch, position.branch) }
    return true
  }

  @inline(never) private mutating func makeBranch(_ index: Int) {
    if index >= capacity { grow(to: index) }
    branches[index] = spareBranches.popLast() ?? Branch()
  }

  @inline(never) private mutating func removeBranch(_ branch: Branch, _ index: Int) {
    if spareBranches.count < Self.maximumSpareBranches { spareBranches.append(branch) } else { branch.deallocate() }
    branches[index] = nil
  }

  private mutating func grow(to branch: Int) {
    let newCapacity = min(max(branch + 1, capacity * 2, 64), Self.maximumBranches)
    let newBranches = UnsafeMutablePointer<Branch?>.allocate(capacity: newCapacity)
    newBranches.initialize(repeating: nil, count: newCapacity)
    newBranches.update(from: branches, count: capacity)
    branches.deallocate()
    branches = newBranches
    capacity = newCapacity
  }

  var isEmpty: Bool { distant.isEmpty && objects(in: 0...(.max), limit: 1).isEmpty }

  func objects() -> ContiguousArray<ManagedObject> { objects(in: 0...(.max)) + distantObjects }

  /// Objects whose ids only another program can have assigned, in no order.
  var distantObjects: ContiguousArray<ManagedObject> { ContiguousArray(distant.values.lazy.map(Self.object)) }

  /// The first objects with ids in a range, in order of id, without the distant ones.
  func objects(in ids: ClosedRange<Int64>, limit: Int = .max) -> ContiguousArray<ManagedObject> {
    var result: ContiguousArray<ManagedObject> = []
    var next = max(0, ids.lowerBound)
    while next <= ids.upperBound, case let position = Position(next), position.branch < capacity, result.count < limit {
      guard let branch = branches[position.branch] else {
        next = (next | Position.branchMask) + 1
        continue
      }
      guard !branch[position.leaf].isEmpty else {
        next = (next | Position.leafMask) + 1
        continue
      }
      if let pointer = branch[position.leaf].object(next) { result.append(Self.object(pointer)) }
      next += 1
    }
    return result
  }

  func deallocate() {
    for index in 0..<capacity { branches[index]?.deallocate() }
    for branch in spareBranches { branch.deallocate() }
    branches.deallocate()
  }

  @inline(__always) private static func object(_ pointer: UnsafeMutableRawPointer) -> ManagedObject {
    Unmanaged<ManagedObject>.fromOpaque(pointer).takeUnretainedValue()
  }
}

/// The location of the object with an id.
private struct Position {
  let branch: Int
  let leaf: Int

  /// The bits of an id that select an object within a leaf, and within a branch.
  static let leafMask = Int64(Leaf.size - 1)
  static let branchMask = Int64(Leaf.size * Branch.size - 1)

  @inline(__always) init(_ id: Int64) {
    branch = Int(truncatingIfNeeded: id &>> Int64(Self.branchMask.nonzeroBitCount))
    leaf = Int(truncatingIfNeeded: (id & Self.branchMask) &>> Int64(Self.leafMask.nonzeroBitCount))
  }
}

/// 128 adjacent leaves, and the number of those that are not empty.
private struct Branch {
  static let size = 128
  private let leaves: UnsafeMutablePointer<Leaf>
  private(set) var used = 0

  init() {
    leaves = .allocate(capacity: Self.size)
    leaves.initialize(repeating: Leaf(), count: Self.size)
  }

  @inline(__always) subscript(index: Int) -> Leaf { leaves[index] }

  @inline(__always) mutating func insert(_ pointer: UnsafeMutableRawPointer, _ id: Int64, in leaf: Int) {
    if leaves[leaf].isEmpty { used += 1 }
    leaves[leaf].insert(pointer, id)
  }

  /// Returns whether the object was in the branch.
  @inline(__always) mutating func remove(_ pointer: UnsafeMutableRawPointer, _ id: Int64, in leaf: Int) -> Bool {
    guard leaves[leaf].object(id) == pointer else { return false }
    leaves[leaf].remove(id)
    if leaves[leaf].isEmpty { used -= 1 }
    return true
  }

  func deallocate() {
    for index in 0..<Self.size { leaves[index].deallocate() }
    leaves.deallocate()
  }
}

/// 16 adjacent ids: no object, one object, or a block of pointers for two or more.
private struct Leaf {
  static let size = 16
  private typealias Block = UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// The address of the block, or that of the only object plus one. Both addresses are even.
  private var bits: UInt = 0

  var isEmpty: Bool { bits == 0 }

  private var only: UnsafeMutableRawPointer? { bits & 1 == 0 ? nil : UnsafeMutableRawPointer(bitPattern: bits ^ 1) }
  private var block: Block? { bits & 1 == 0 ? Block(bitPattern: bits) : nil }

  @inline(__always) func object(_ id: Int64) -> UnsafeMutableRawPointer? {
    if bits & 1 == 0 { return Block(bitPattern: bits)?[Self.slot(id)] }
    guard let only, Self.id(only) == id else { return nil }
    return only
  }

  @inline(__always) mutating func insert(_ pointer: UnsafeMutableRawPointer, _ id: Int64) {
    if let block {
      block[Self.slot(id)] = pointer
    } else if isEmpty {
      bits = UInt(bitPattern: pointer) | 1
    } else {
      insertSecond(pointer, id)
    }
  }

  @inline(never) private mutating func insertSecond(_ pointer: UnsafeMutableRawPointer, _ id: Int64) {
    let block = Block.allocate(capacity: Self.size)
    block.initialize(repeating: nil, count: Self.size)
    if let only { block[Self.slot(Self.id(only))] = only }
    block[Self.slot(id)] = pointer
    bits = UInt(bitPattern: block)
  }

  /// Branch-free, which compiles to a few wide loads.
  @inline(__always) mutating func remove(_ id: Int64) {
    guard let block else { return bits = 0 }
    block[Self.slot(id)] = nil
    if (0..<Self.size).reduce(0, { $0 | UInt(bitPattern: block[$1]) }) == 0 {
      block.deallocate()
      bits = 0
    }
  }

  func deallocate() { block?.deallocate() }

  @inline(__always) private static func slot(_ id: Int64) -> Int { Int(truncatingIfNeeded: id) & (size - 1) }

  @inline(__always) private static func id(_ pointer: UnsafeMutableRawPointer) -> Int64 {
    Unmanaged<ManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0._id }
  }
}
