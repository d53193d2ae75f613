/// Which to-many relationships are in memory. Their members hold each other, in circles where both sides are to-many,
/// so a space lets go of them when its closure has ended, or when there are too many.
struct LoadedRelationships {
  struct Entry {
    let relationship: Relationship
    let owner: Int64
  }

  static let limit = 100_000

  private(set) var entries: ContiguousArray<Entry> = []
  /// Objects that a to-one fetched, held for a while so that the next one that leads there finds them.
  private var recent: ContiguousArray<ManagedObject> = []
  private var nextRecent = 0

  mutating func add(_ relationship: Relationship, _ owner: ManagedObject) {
    entries.append(Entry(relationship: relationship, owner: owner._id))
  }

  mutating func takeEntries() -> ContiguousArray<Entry> {
    defer { entries.removeAll(keepingCapacity: entries.count < 1024) }
    return entries
  }

  mutating func takeEntries(of relationship: Relationship) -> ContiguousArray<Entry> {
    let taken = ContiguousArray(entries.lazy.filter { $0.relationship === relationship })
    if !taken.isEmpty { entries.removeAll { $0.relationship === relationship } }
    return taken
  }

  mutating func hold(_ object: ManagedObject) {
    if recent.count < 4096 {
      recent.append(object)
    } else {
      recent[nextRecent] = object
      nextRecent = (nextRecent + 1) % recent.count
    }
  }

  mutating func takeRecent() -> ContiguousArray<ManagedObject> {
    defer {
      recent = []
      nextRecent = 0
    }
    return recent
  }
}

extension ObjectTable {
  /// Where an object keeps the members of a to-many.
  @inline(__always)
  func members(_ relationship: Relationship, of object: ManagedObject) -> UnsafeMutablePointer<RelatedSet?> {
    // The offset is that of a property of exactly this type, in the class of which the object is an instance.
    (Unmanaged.passUnretained(object).toOpaque() + relationship.offset).assumingMemoryBound(to: RelatedSet?.self)
  }

  func setLoaded(_ relationship: Relationship, of object: ManagedObject, _ objects: ContiguousArray<ManagedObject>) {
    let place = members(relationship, of: object)
    if place.pointee == nil { space.loaded.add(relationship, object) }
    place.pointee = RelatedSet(objects, isOrdered: relationship.isOrdered)
  }

  func unload(_ relationship: Relationship, of object: ManagedObject) {
    // Members that nobody else holds die here, and leave the map in their deinit: the pointer is not used after that.
    guard let set = members(relationship, of: object).pointee else { return }
    if relationship.isOrdered { space.links.takeOrder(of: relationship, object, set) }
    members(relationship, of: object).pointee = nil
    withExtendedLifetime(set) {}
  }

  func unloadRelationships(of object: ManagedObject) {
    for relationship in entity.toMany { unload(relationship, of: object) }
  }
}

extension ObjectSpace {
  /// Before relationships are loaded that are to be in memory at the same time: of so many owners.
  func makeRoom(forRelationships count: Int) {
    if count > 0, loaded.entries.count + count > LoadedRelationships.limit { unloadAllRelationships() }
  }

  func unloadAllRelationships() {
    // All owners are held until none of them holds members any more. One that died before would take its members along,
    // and these theirs, each with a stack frame of its own.
    var owners: ContiguousArray<ManagedObject> = []
    for entry in loaded.takeEntries() {
      let table = table(of: entry.relationship.entity)
      guard let owner = table.map.object(entry.owner) else { continue }
      owners.append(owner)
    }
    for owner in owners { owner._table?.unloadRelationships(of: owner) }
    withExtendedLifetime(loaded.takeRecent()) {}
  }

  /// After a change that could be in any of them.
  func unload(_ relationship: Relationship) {
    let table = table(of: relationship.entity)
    // All of them held, as above.
    let owners = loaded.takeEntries(of: relationship).compactMap { table.map.object($0.owner) }
    for owner in owners { table.unload(relationship, of: owner) }
  }
}
