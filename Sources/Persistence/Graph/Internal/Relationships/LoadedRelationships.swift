/// The to-many relationships that are in memory. Their members retain each other, and form cycles where both sides are
/// to-many. A space therefore releases them when its closure ends, or when there are too many.
struct LoadedRelationships {
  struct Entry {
    let relationship: Relationship
    let owner: Int64
  }

  static let limit = 100_000

  private(set) var entries: ContiguousArray<Entry> = []
  /// Objects fetched through a to-one relationship, retained for a while so that the next relationship to the same
  /// target finds them.
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

extension EntityRegistry {
  /// Returns a pointer to the property in which an object stores the members of a to-many relationship.
  @inline(__always)
  func members(_ relationship: Relationship, of object: ManagedObject) -> UnsafeMutablePointer<RelatedSet?> {
    // The offset refers to a property of exactly this type, in the class of the object.
    (Unmanaged.passUnretained(object).toOpaque() + relationship.offset).assumingMemoryBound(to: RelatedSet?.self)
  }

  func setLoaded(_ relationship: Relationship, of object: ManagedObject, _ objects: ContiguousArray<ManagedObject>) {
    let address = members(relationship, of: object)
    if address.pointee == nil { space.loaded.add(relationship, object) }
    address.pointee = RelatedSet(objects, isOrdered: relationship.isOrdered)
  }

  func unload(_ relationship: Relationship, of object: ManagedObject) {
    // Members that nothing else retains are deallocated here, and remove themselves from the map in their deinit. The
    // pointer is not used after that.
    space.answers.remove(relationship, of: object._id)
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
  /// Makes space for the relationships of `count` owners. Call this before loading relationships that must be in memory
  /// simultaneously.
  func makeRoom(forRelationships count: Int) {
    if count > 0, loaded.entries.count + count > LoadedRelationships.limit { unloadAllRelationships() }
  }

  func unloadAllRelationships() {
    // Retain all owners until none of them has members. An owner deallocated earlier would deallocate its members
    // recursively, with a stack frame for each.
    var owners: ContiguousArray<ManagedObject> = []
    answers.removeAll()
    for entry in loaded.takeEntries() {
      let registry = registry(of: entry.relationship.entity)
      guard let owner = registry.map.object(entry.owner) else { continue }
      owners.append(owner)
    }
    for owner in owners { owner._registry?.unloadRelationships(of: owner) }
    withExtendedLifetime(loaded.takeRecent()) {}
  }

  /// Unloads a relationship of all owners, after a change that may affect any of them.
  func unload(_ relationship: Relationship) {
    noteMembers(relationship)
    let registry = registry(of: relationship.entity)
    answers.removeAll()
    // Retain all owners, as above.
    let owners = loaded.takeEntries(of: relationship).compactMap { registry.map.object($0.owner) }
    for owner in owners { registry.unload(relationship, of: owner) }
  }
}
