/// The objects that a to-many relationship leads to.
///
/// It is a window and not a copy: two values of the same relationship always show the same. ``count``, ``isEmpty``,
/// ``first`` and ``contains(_:)`` are answered by the store as long as the members are not in memory; iterating fetches
/// them, and those of other owners in memory with them once that happens repeatedly. The order is that of the members'
/// ids, unless the relationship is ordered.
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
    case .live(let owner, let relation): owner._table?.memberCount(of: owner, relation: relation) ?? 0
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
      owner._table?.firstMember(of: owner, relation: relation).map { unsafeDowncast($0, to: Element.self) }
    case .detached(let objects): objects.first
    }
  }

  /// Whether `object` is one of them.
  public func contains(_ object: Element) -> Bool {
    switch content {
    case .live(let owner, let relation): owner._table?.isMember(object, of: owner, relation: relation) ?? false
    case .detached(let objects): objects.contains(object)
    }
  }

  /// Adds an object, unless it is there already. The members need not be in memory for that.
  public func insert(_ object: Element) {
    guard case .live(let owner, let relation) = content else { return }
    owner._table?.insertMember(object, into: owner, relation: relation)
  }

  /// Puts an object at a place of an ordered relationship, whether or not it is there already. A place beyond the last is
  /// the last. Where there is no order, it is added.
  public func insert(_ object: Element, at place: Int) {
    guard case .live(let owner, let relation) = content else { return }
    owner._table?.insertMember(object, into: owner, relation: relation, at: place)
  }

  /// Adds objects that are not there already.
  public func insert(contentsOf objects: some Sequence<Element>) { for object in objects { insert(object) } }

  /// Removes an object from the relationship, if it is there. The object itself stays.
  public func remove(_ object: Element) {
    guard case .live(let owner, let relation) = content else { return }
    owner._table?.removeMember(object, from: owner, relation: relation)
  }

  /// Removes all from the relationship. The objects themselves stay.
  public func removeAll() {
    guard case .live(let owner, let relation) = content else { return }
    owner._table?.setMembers(of: owner, relation: relation, to: [])
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
      Iterator(objects: (owner._table?.members(of: owner, relation: relation) ?? []).makeIterator())
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
