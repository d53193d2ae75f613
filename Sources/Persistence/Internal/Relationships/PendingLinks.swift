/// Changes of many-to-many relationships, and of orders, that are not committed, in the order in which they were made.
struct PendingLinks {
  enum Change {
    case add(JoinTable, first: Int64, second: Int64)
    case remove(JoinTable, first: Int64, second: Int64)
    /// A new member of an ordered relationship, which follows all others.
    case last(Relationship, owner: Int64, member: Int64)
    /// The members of an ordered relationship, in their order. Nil until they are needed: they are in memory, and may
    /// yet change many times.
    case order(Relationship, ManagedObject, members: [Int64]?)
    /// All pairs of an object that is deleted; `column` is its side's.
    case clear(JoinTable, column: String, id: Int64)
  }

  private(set) var changes: ContiguousArray<Change> = []
  /// What those that are written have done, if somebody wants to know.
  private(set) var effects: ContiguousArray<LinkChange> = []
  private(set) var written = 0
  /// Where the last order of each owner's members is.
  private var orders: [OrderKey: Int] = [:]
  /// The orders whose members are still to be taken from memory.
  private var open: Set<OrderKey> = []

  var isEmpty: Bool { changes.isEmpty }
  var count: Int { changes.count }
  var hasUnwritten: Bool { written < changes.count }
  var unwritten: ArraySlice<Change> { ArraySlice(changes[written...]) }

  mutating func append(_ change: Change) { changes.append(change) }

  mutating func note(_ effect: LinkChange) { effects.append(effect) }

  /// The members of an ordered relationship, which are in memory, are in another order. It replaces the last order of
  /// the same members unless that was taken, to be written or for a mark.
  mutating func reorder(_ relationship: Relationship, _ owner: ManagedObject) {
    let key = OrderKey(relationship, owner._id)
    if open.contains(key), let last = orders[key] {
      if last == changes.count - 1 { return }
      changes[last] = .order(relationship, owner, members: [])
    }
    orders[key] = changes.count
    open.insert(key)
    changes.append(.order(relationship, owner, members: nil))
  }

  /// Before members leave memory: their order is taken from there, if it is one that is to be written.
  mutating func takeOrder(of relationship: Relationship, _ owner: ManagedObject, _ set: RelatedSet) {
    let key = OrderKey(relationship, owner._id)
    guard !open.isEmpty, open.remove(key) != nil, let last = orders[key] else { return }
    changes[last] = .order(relationship, owner, members: set.objects.map(\._id))
  }

  /// The orders that ``takeOrder(of:_:_:)`` is to be called for.
  var openOrders: [(Relationship, ManagedObject)] {
    open.compactMap { key in
      guard let last = orders[key], case .order(let relationship, let owner, _) = changes[last] else { return nil }
      return (relationship, owner)
    }
  }

  /// How far the list has come. All orders must have been taken before: what comes later does not change them.
  var mark: Int { changes.count }

  mutating func markWritten() { written = changes.count }

  mutating func unwrite() {
    written = 0
    effects.removeAll()
  }

  mutating func rollBack(to mark: Int) {
    changes.removeSubrange(min(mark, changes.count)...)
    forgetOrders()
  }

  mutating func removeAll() {
    changes.removeAll(keepingCapacity: changes.count < 4096)
    forgetOrders()
  }

  private mutating func forgetOrders() {
    orders.removeAll()
    open.removeAll()
    unwrite()
  }
}

/// One owner's members of an ordered relationship.
struct OrderKey: Hashable {
  private let relationship: ObjectIdentifier
  private let owner: Int64

  init(_ relationship: Relationship, _ owner: Int64) {
    self.relationship = ObjectIdentifier(relationship)
    self.owner = owner
  }
}
