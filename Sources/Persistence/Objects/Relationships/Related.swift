/// The objects that a to-many relationship leads to.
///
/// It is a window and not a copy: two values of the same relationship always show the same. ``count``, ``isEmpty``,
/// ``first`` and ``contains(_:)`` are answered by the store as long as the members are not in memory; iterating fetches
/// them, and with them those of the owners that came with the same fetch, ``FetchRequest/batchSize`` at a time; an
/// owner that was fetched alone asks for its own. The order is that of the members' ids, unless the relationship is
/// ordered.
///
/// Reading cannot throw. If the store fails meanwhile, the members appear to be none, and the error is thrown by the
/// `persist` or `perform` around it.
public struct Related<Element: ManagedObject> {
  private enum Content {
    case live(ManagedObject, relation: Int)
    case detached([Element])
  }

  private let content: Content

  init(owner: ManagedObject, relation: Int) { content = .live(owner, relation: relation) }

  /// How many there are.
  public var count: Int {
    switch content {
    case .live(let owner, let relation): table(of: owner)?.memberCount(of: owner, relation: relation) ?? 0
    case .detached(let objects): objects.count
    }
  }

  /// Whether there are none.
  public var isEmpty: Bool { first == nil }

  /// The first in the relationship's order; where it has none, the one with the lowest id.
  public var first: Element? {
    switch content {
    case .live(let owner, let relation):
      // The relationship leads to the table of exactly this class.
      table(of: owner)?.firstMember(of: owner, relation: relation).map { unsafeDowncast($0, to: Element.self) }
    case .detached(let objects): objects.first
    }
  }

  /// Whether `object` is one of them.
  public func contains(_ object: Element) -> Bool {
    switch content {
    case .live(let owner, let relation): table(of: owner)?.isMember(object, of: owner, relation: relation) ?? false
    case .detached(let objects): objects.contains(object)
    }
  }

  /// Adds an object, unless it is there already. The members need not be in memory for that.
  public func insert(_ object: Element) {
    edit { table, owner, relation in table.insertMember(object, into: owner, relation: relation) }
  }

  /// Puts an object at a place of an ordered relationship, whether or not it is there already. A place beyond the last
  /// is the last. Where there is no order, it is added.
  public func insert(_ object: Element, at place: Int) {
    edit { table, owner, relation in table.insertMember(object, into: owner, relation: relation, at: place) }
  }

  /// Adds objects that are not there already.
  public func insert(contentsOf objects: some Sequence<Element>) { for object in objects { insert(object) } }

  /// Removes an object from the relationship, if it is there. The object itself stays.
  public func remove(_ object: Element) {
    edit { table, owner, relation in table.removeMember(object, from: owner, relation: relation) }
  }

  /// Removes all from the relationship. The objects themselves stay.
  public func removeAll() {
    edit { table, owner, relation in table.setMembers(of: owner, relation: relation, to: []) }
  }

  /// Nil for an owner that is deleted, whose relationships are empty.
  private func table(of owner: ManagedObject) -> ObjectTable? {
    #if DEBUG
    _checkIsolation(owner)
    #endif
    return owner._table
  }

  private func edit(_ body: (ObjectTable, ManagedObject, Int) -> Void) {
    guard case .live(let owner, let relation) = content else { return }
    _edit(owner, relation, body)
  }
}

extension Related: Sequence {
  /// Iterates over the members there are when iteration begins.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var objects: ContiguousArray<ManagedObject>.Iterator

    /// The next member.
    @inlinable @inline(__always) public mutating func next() -> Element? {
      guard let object = objects.next() else { return nil }
      // The relationship leads to the table of exactly this class.
      return unsafeDowncast(object, to: Element.self)
    }
  }

  /// Fetches the members that are not in memory.
  public func makeIterator() -> Iterator {
    switch content {
    case .live(let owner, let relation):
      Iterator(objects: (table(of: owner)?.members(of: owner, relation: relation) ?? []).makeIterator())
    case .detached(let objects): Iterator(objects: ContiguousArray<ManagedObject>(objects).makeIterator())
    }
  }

  /// 0: counting could cost a query.
  public var underestimatedCount: Int { 0 }
}

extension Related: ExpressibleByArrayLiteral {
  /// Objects to assign to a relationship, in place of its members.
  public init(arrayLiteral objects: Element...) { content = .detached(objects) }

  /// Objects to assign to a relationship, in place of its members.
  public init(_ objects: some Sequence<Element>) { content = .detached(Array(objects)) }
}

@available(*, unavailable, message: "a relationship lives in its context: return the objects' ids")
extension Related: Sendable {}
