/// One object per row, without owning it. Ids select a leaf of 16 objects, by way of a branch of 128 leaves; leaves and
/// branches come and go with their objects.
///
/// Ids are dense within a class, so that a look-up is three array accesses, and rows from all over a large table take
/// little more memory than rows side by side. The pointers are unowned: an object removes its own in its `deinit`,
/// and the map's owner clears the objects' references to itself when it dies first. All of it happens in one
/// isolation, so no look-up can meet an object that another thread is releasing.
struct IdentityMap {
  /// By the upper bits of the ids.
  private var branches: UnsafeMutablePointer<Branch?>
  private var capacity = 0
  private var distant: [Int64: UnsafeMutableRawPointer] = [:]
  /// Those that lost their last object, which leaves them empty: rows from all over a table take a leaf each, again and
  /// again.
  private var spareLeaves: ContiguousArray<Leaf> = []
  private var spareBranches: ContiguousArray<Branch> = []

  /// Branches above this would make the directory larger than 16 MB. Such ids come only from outside, and go to a
  /// dictionary.
  private static let maximumBranches = 1 << 20
  /// Half a megabyte of each.
  private static let maximumSpareLeaves = 4096
  private static let maximumSpareBranches = 512

  init() { branches = .allocate(capacity: 0) }

  @inline(__always) func object(_ id: Int64) -> ManagedObject? {
    let place = Place(id)
    guard UInt(bitPattern: place.branch) < UInt(bitPattern: capacity) else {
      return distant.isEmpty ? nil : distantObject(id)
    }
    guard let leaf = branches[place.branch]?[place.leaf] else { return nil }
    return leaf[place.slot].map(Self.object)
  }

  @inline(__always) mutating func insert(_ object: ManagedObject) {
    let id = object._id
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    let place = Place(id)
    guard place.branch >= 0, place.branch < Self.maximumBranches else { return insertDistant(pointer, id) }
    if place.branch < capacity, let leaf = branches[place.branch]?[place.leaf] {
      leaf[place.slot] = pointer
    } else {
      makeLeaf(place)[place.slot] = pointer
    }
  }

  @inline(never) private func distantObject(_ id: Int64) -> ManagedObject? { distant[id].map(Self.object) }

  @inline(never) private mutating func insertDistant(_ pointer: UnsafeMutableRawPointer, _ id: Int64) {
    distant[id] = pointer
  }

  /// Whether it was there.
  @discardableResult mutating func remove(_ object: ManagedObject) -> Bool {
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    let place = Place(object._id)
    guard place.branch >= 0, place.branch < capacity else {
      guard distant[object._id] == pointer else { return false }
      distant[object._id] = nil
      return true
    }
    guard let leaf = branches[place.branch]?[place.leaf], leaf[place.slot] == pointer else { return false }
    leaf[place.slot] = nil
    if leaf.isEmpty { removeLeaf(leaf, place) }
    return true
  }

  @inline(never) private mutating func makeLeaf(_ place: Place) -> Leaf {
    if place.branch >= capacity { grow(to: place.branch) }
    let leaf = spareLeaves.popLast() ?? Leaf()
    if branches[place.branch] == nil { branches[place.branch] = spareBranches.popLast() ?? Branch() }
    branches[place.branch]?[place.leaf] = leaf
    return leaf
  }

  @inline(never) private mutating func removeLeaf(_ leaf: Leaf, _ place: Place) {
    if spareLeaves.count < Self.maximumSpareLeaves { spareLeaves.append(leaf) } else { leaf.deallocate() }
    branches[place.branch]?[place.leaf] = nil
    guard let branch = branches[place.branch], branch.used == 0 else { return }
    if spareBranches.count < Self.maximumSpareBranches { spareBranches.append(branch) } else { branch.deallocate() }
    branches[place.branch] = nil
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

  /// Those whose ids only another program gives, in no order.
  var distantObjects: ContiguousArray<ManagedObject> { ContiguousArray(distant.values.lazy.map(Self.object)) }

  /// The first objects with ids in a range, in the order of these, without the distant ones.
  func objects(in ids: ClosedRange<Int64>, limit: Int = .max) -> ContiguousArray<ManagedObject> {
    var result: ContiguousArray<ManagedObject> = []
    var next = max(0, ids.lowerBound)
    while next <= ids.upperBound, case let place = Place(next), place.branch < capacity, result.count < limit {
      guard let branch = branches[place.branch] else {
        next = (next | Place.branchMask) + 1
        continue
      }
      guard let leaf = branch[place.leaf] else {
        next = (next | Place.leafMask) + 1
        continue
      }
      if let pointer = leaf[place.slot] { result.append(Self.object(pointer)) }
      next += 1
    }
    return result
  }

  func deallocate() {
    for index in 0..<capacity { branches[index]?.deallocate() }
    for leaf in spareLeaves { leaf.deallocate() }
    for branch in spareBranches { branch.deallocate() }
    branches.deallocate()
  }

  @inline(__always) private static func object(_ pointer: UnsafeMutableRawPointer) -> ManagedObject {
    Unmanaged<ManagedObject>.fromOpaque(pointer).takeUnretainedValue()
  }
}

/// Where the object with an id is.
private struct Place {
  let branch: Int
  let leaf: Int
  let slot: Int

  /// The bits of an id that select a slot within a leaf, and within a branch.
  static let leafMask = Int64(Leaf.size - 1)
  static let branchMask = Int64(Leaf.size * Branch.size - 1)

  @inline(__always) init(_ id: Int64) {
    branch = Int(truncatingIfNeeded: id &>> Int64(Self.branchMask.nonzeroBitCount))
    leaf = Int(truncatingIfNeeded: (id & Self.branchMask) &>> Int64(Self.leafMask.nonzeroBitCount))
    slot = Int(truncatingIfNeeded: id & Self.leafMask)
  }
}

/// Sixteen neighbours.
private struct Leaf {
  static let size = 16
  private let slots: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  init() {
    slots = .allocate(capacity: Self.size)
    slots.initialize(repeating: nil, count: Self.size)
  }

  @inline(__always) subscript(slot: Int) -> UnsafeMutableRawPointer? {
    get { slots[slot] }
    nonmutating set { slots[slot] = newValue }
  }

  /// Without a branch, so that it is a few wide loads.
  var isEmpty: Bool { (0..<Self.size).reduce(0) { $0 | UInt(bitPattern: slots[$1]) } == 0 }

  func deallocate() { slots.deallocate() }
}

/// Leaves that are neighbours, and how many there are.
private struct Branch {
  static let size = 128
  private let leaves: UnsafeMutablePointer<Leaf?>
  private(set) var used = 0

  init() {
    leaves = .allocate(capacity: Self.size)
    leaves.initialize(repeating: nil, count: Self.size)
  }

  @inline(__always) subscript(index: Int) -> Leaf? {
    get { leaves[index] }
    set {
      used += (newValue == nil ? 0 : 1) - (leaves[index] == nil ? 0 : 1)
      leaves[index] = newValue
    }
  }

  func deallocate() {
    for index in 0..<Self.size { leaves[index]?.deallocate() }
    leaves.deallocate()
  }
}
