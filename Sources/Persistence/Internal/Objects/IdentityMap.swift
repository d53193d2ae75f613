/// One object per row, without owning it: ids select a page of 1 024 pointers, and pages come and go with their objects.
///
/// Ids are dense within a class, so that a look-up is an array access. The pointers are unowned: an object removes its
/// own in its `deinit`, and the map's owner clears the objects' references to itself when it dies first. All of it happens
/// in one isolation, so no look-up can meet an object that another thread is releasing.
struct IdentityMap {
  private typealias Page = UnsafeMutablePointer<UnsafeMutableRawPointer?>

  private static let pageBits: Int64 = 10
  private static let pageSize = 1 << 10
  /// Pages above this would make the directory larger than 8 MB. Such ids come only from outside, and go to a dictionary.
  private static let maximumPages = 1 << 20

  private var directory: UnsafeMutablePointer<Page?>
  private var used: UnsafeMutablePointer<Int32>
  private var capacity = 0
  private var distant: [Int64: UnsafeMutableRawPointer] = [:]
  /// Pages that lost their last object, which leaves them empty: rows from all over a table take a page each, again and
  /// again.
  private var spare: ContiguousArray<Page> = []
  private static let maximumSpare = 64

  init() {
    directory = .allocate(capacity: 0)
    used = .allocate(capacity: 0)
  }

  @inline(__always) func object(_ id: Int64) -> ManagedObject? {
    let page = Int(truncatingIfNeeded: id &>> Self.pageBits)
    guard UInt(bitPattern: page) < UInt(bitPattern: capacity) else {
      return distant.isEmpty ? nil : distantObject(id)
    }
    guard let slots = directory[page] else { return nil }
    return slots[Int(truncatingIfNeeded: id & 1023)].map(Self.object)
  }

  @inline(__always) mutating func insert(_ object: ManagedObject) {
    let id = object._id
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    let page = Int(truncatingIfNeeded: id &>> Self.pageBits)
    guard page >= 0, page < Self.maximumPages else { return insertDistant(pointer, id) }
    if page >= capacity || directory[page] == nil { makePage(page) }
    guard let slots = directory[page] else { return }
    let slot = Int(truncatingIfNeeded: id & 1023)
    if slots[slot] == nil { used[page] &+= 1 }
    slots[slot] = pointer
  }

  @inline(never) private func distantObject(_ id: Int64) -> ManagedObject? { distant[id].map(Self.object) }

  @inline(never) private mutating func insertDistant(_ pointer: UnsafeMutableRawPointer, _ id: Int64) {
    distant[id] = pointer
  }

  /// Whether it was there.
  @discardableResult mutating func remove(_ object: ManagedObject) -> Bool {
    let id = object._id
    let page = Int(truncatingIfNeeded: id &>> Self.pageBits)
    guard page >= 0, page < capacity else {
      guard distant[id] == Unmanaged.passUnretained(object).toOpaque() else { return false }
      distant[id] = nil
      return true
    }
    let slot = Int(truncatingIfNeeded: id & 1023)
    guard let slots = directory[page], slots[slot] == Unmanaged.passUnretained(object).toOpaque() else { return false }
    slots[slot] = nil
    used[page] &-= 1
    if used[page] == 0 {
      if spare.count < Self.maximumSpare { spare.append(slots) } else { slots.deallocate() }
      directory[page] = nil
    }
    return true
  }

  @inline(never) private mutating func makePage(_ page: Int) {
    if page >= capacity {
      let newCapacity = min(max(page + 1, capacity * 2, 64), Self.maximumPages)
      let newDirectory = UnsafeMutablePointer<Page?>.allocate(capacity: newCapacity)
      let newUsed = UnsafeMutablePointer<Int32>.allocate(capacity: newCapacity)
      newDirectory.initialize(repeating: nil, count: newCapacity)
      newUsed.initialize(repeating: 0, count: newCapacity)
      newDirectory.update(from: directory, count: capacity)
      newUsed.update(from: used, count: capacity)
      directory.deallocate()
      used.deallocate()
      directory = newDirectory
      used = newUsed
      capacity = newCapacity
    }
    if let slots = spare.popLast() {
      directory[page] = slots
      return
    }
    let slots = Page.allocate(capacity: Self.pageSize)
    slots.initialize(repeating: nil, count: Self.pageSize)
    directory[page] = slots
  }

  /// The objects, in the order of their ids, from the one with this id on.
  func objects(from id: Int64 = 0, limit: Int = .max) -> ContiguousArray<ManagedObject> {
    var result: ContiguousArray<ManagedObject> = []
    var page = max(0, Int(truncatingIfNeeded: id &>> Self.pageBits))
    while page < capacity && result.count < limit {
      if let slots = directory[page] {
        for slot in 0..<Self.pageSize {
          guard let pointer = slots[slot] else { continue }
          let object = Self.object(pointer)
          if object._id >= id { result.append(object) }
          if result.count == limit { break }
        }
      }
      page += 1
    }
    if id == 0 { result.append(contentsOf: distant.values.map(Self.object)) }
    return result
  }

  func deallocate() {
    for page in 0..<capacity { directory[page]?.deallocate() }
    for page in spare { page.deallocate() }
    directory.deallocate()
    used.deallocate()
  }

  @inline(__always) private static func object(_ pointer: UnsafeMutableRawPointer) -> ManagedObject {
    Unmanaged<ManagedObject>.fromOpaque(pointer).takeUnretainedValue()
  }
}
