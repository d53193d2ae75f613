public import Foundation

/// The objects in a to-many relationship.
///
/// The value of a to-many relationship is a live view of the relationship's members, not a copy, so it always reflects
/// the current members. Iterating fetches the members if they are not in memory; ``count``, ``isEmpty``, ``first`` and
/// ``contains(_:)`` query the store without fetching all members. If the owner of the relationship was fetched together
/// with other objects, all but ``contains(_:)`` also apply to those objects' relationships: one query serves
/// ``FetchDescriptor/batchSize`` owners. Unless the relationship is ordered, its members are sorted by id.
///
/// Reading cannot throw. If the store fails, the relationship appears empty, and the enclosing `persist` or `perform`
/// throws the error.
public struct RelatedObjects<Element: ManagedObject> {
  private enum Content {
    case live(ManagedObject, relation: Int)
    case detached([Element])
  }

  private let content: Content

  init(owner: ManagedObject, relation: Int) { content = .live(owner, relation: relation) }

  /// The number of members.
  public var count: Int {
    switch content {
    case .live(let owner, let relation):
      objectOwner(of: owner, relation)?.memberCount(of: owner, relation: relation) ?? 0
    case .detached(let objects): objects.count
    }
  }

  /// Whether the relationship has no members.
  public var isEmpty: Bool {
    switch content {
    case .live(let owner, let relation): objectOwner(of: owner, relation)?.hasMembers(owner, relation: relation) != true
    case .detached(let objects): objects.isEmpty
    }
  }

  /// The first member in the relationship's order or, if the relationship is not ordered, the member with the lowest
  /// id.
  public var first: Element? {
    switch content {
    case .live(let owner, let relation):
      // The relationship refers to objects of exactly this class.
      objectOwner(of: owner, relation)?.firstMember(of: owner, relation: relation).map {
        unsafeDowncast($0, to: Element.self)
      }
    case .detached(let objects): objects.first
    }
  }

  /// Returns whether `object` is a member of the relationship.
  public func contains(_ object: Element) -> Bool {
    switch content {
    case .live(let owner, let relation):
      objectOwner(of: owner, relation)?.isMember(object, of: owner, relation: relation) ?? false
    case .detached(let objects): objects.contains(object)
    }
  }

  /// Adds an object, unless it is already a member. This method does not fetch the existing members.
  public func insert(_ object: Element) {
    edit { $0.insertMember(object, into: $1, relation: $2, at: nil) }
  }

  /// Inserts an object into an ordered relationship at an index. If the object is already a member, it is moved to the
  /// index. An index beyond the end is treated as the end. If the relationship is not ordered, the object is added, but
  /// the index is ignored.
  public func insert(_ object: Element, at index: Int) {
    edit { $0.insertMember(object, into: $1, relation: $2, at: index) }
  }

  /// Adds those of the given objects that are not yet members.
  public func insert(contentsOf objects: some Sequence<Element>) { for object in objects { insert(object) } }

  /// Removes an object from the relationship if it is a member. The object itself is not deleted.
  public func remove(_ object: Element) {
    edit { $0.removeMember(object, from: $1, relation: $2) }
  }

  /// Removes all members from the relationship. The objects themselves are not deleted.
  public func removeAll() {
    edit { $0.setMembers(of: $1, relation: $2, to: []) }
  }

  /// Replaces the members with the given objects. The members of an ordered relationship are then in the same order as
  /// the given objects. If an object occurs more than once, only its first occurrence counts.
  ///
  /// Calling this method has the same effect as assigning `RelatedObjects(objects)` to the relationship.
  public func replace(with objects: some Sequence<Element>) {
    edit { $0.setMembers(of: $1, relation: $2, to: Array(objects)) }
  }

  /// Moves members of an ordered relationship so that they are just before the member at `destination`, as the `onMove`
  /// modifier of a SwiftUI list requires. All offsets, including `destination`, refer to the order before the move. The
  /// moved members keep their relative order.
  ///
  /// Source offsets beyond the end are ignored, and a destination beyond the end is treated as the end. If the
  /// relationship is not ordered, nothing changes.
  public func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    arrange("move \(Array(source)) to \(destination)") { members in
      let offsets = source.filter { $0 < members.count }
      let destination = Swift.max(0, Swift.min(destination, members.count))
      let moved = offsets.map { members[$0] }
      let isMoved = Set(offsets)
      var result: ContiguousArray<ManagedObject> = []
      result.reserveCapacity(members.count)
      for (offset, member) in members.enumerated() {
        if offset == destination { result += moved }
        if !isMoved.contains(offset) { result.append(member) }
      }
      if destination == members.count { result += moved }
      members = result
    }
  }

  /// Exchanges the members at two offsets in an ordered relationship.
  ///
  /// If there is no member at one of the offsets, or if the relationship is not ordered, nothing changes.
  public func swapAt(_ first: Int, _ second: Int) {
    arrange("swap \(first) and \(second)") { members in
      if members.indices.contains(first), members.indices.contains(second) { members.swapAt(first, second) }
    }
  }

  private func arrange(
    _ name: @autoclosure () -> String, _ change: (inout ContiguousArray<ManagedObject>) -> Void
  ) {
    edit { $0.arrangeMembers(of: $1, relation: $2, as: name(), change) }
  }

  /// The owner's owner, which is asked for the members. Nil for a deleted owner, whose relationships are empty.
  private func objectOwner(of owner: ManagedObject, _ relation: Int) -> ObjectOwner? {
    // Also here, because a value that was read earlier may be read again by someone else.
    if owner._state & ObjectState.watched != 0 { _reportAccess(owner, UInt32(ObjectState.firstRelation + relation)) }
    #if DEBUG
    _checkIsolation(owner)
    #endif
    return owner.isDeleted ? nil : owner._objectOwner?.takeUnretainedValue()
  }

  private func edit(_ body: (ObjectOwner, ManagedObject, Int) -> Void) {
    guard case .live(let owner, let relation) = content else { return }
    _edit(owner, relation) { body($0, owner, relation) }
  }
}

extension RelatedObjects: Sequence {
  /// An iterator over the members that exist when the iteration begins.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var objects: ContiguousArray<ManagedObject>.Iterator

    /// Returns the next member, or nil at the end.
    @inlinable @inline(__always) public mutating func next() -> Element? {
      guard let object = objects.next() else { return nil }
      // The relationship refers to objects of exactly this class.
      return unsafeDowncast(object, to: Element.self)
    }
  }

  /// Creates an iterator over the members. Members that are not in memory are fetched.
  public func makeIterator() -> Iterator {
    switch content {
    case .live(let owner, let relation):
      Iterator(objects: (objectOwner(of: owner, relation)?.members(of: owner, relation: relation) ?? []).makeIterator())
    case .detached(let objects): Iterator(objects: ContiguousArray<ManagedObject>(objects).makeIterator())
    }
  }

  /// Always 0, because counting the members could require a query.
  public var underestimatedCount: Int { 0 }
}

extension RelatedObjects: ExpressibleByArrayLiteral {
  /// Creates a list of objects to assign to a relationship. Assigning the list replaces the relationship's members.
  public init(arrayLiteral objects: Element...) { content = .detached(objects) }

  /// Creates a list of objects to assign to a relationship. Assigning the list replaces the relationship's members.
  public init(_ objects: some Sequence<Element>) { content = .detached(Array(objects)) }
}

@available(*, unavailable, message: "a relationship lives in its context: return the objects' ids")
extension RelatedObjects: Sendable {}
