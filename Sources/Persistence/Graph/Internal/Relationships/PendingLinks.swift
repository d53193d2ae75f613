/// The uncommitted changes of many-to-many relationships and of orders, in the order in which they were made.
struct PendingLinks {
  enum Change {
    case add(JoinTable, first: Int64, second: Int64)
    case remove(JoinTable, first: Int64, second: Int64)
    /// A new member of an ordered relationship, which follows all others.
    case last(Relationship, owner: Int64, member: Int64)
    /// The members of an ordered relationship, in their order. Nil until they are needed: they are in memory and may
    /// still change many times.
    case order(Relationship, ManagedObject, members: [Int64]?)
    /// All pairs of a deleted object; `column` is the column of its side.
    case clear(JoinTable, column: String, id: Int64)
  }

  private(set) var changes: ContiguousArray<Change> = []
  var all: ArraySlice<Change> { ArraySlice(changes) }
  /// The effects of the written changes, if they are observed.
  private var effects: ContiguousArray<LinkChange> = []
  /// The orders before the open transaction changes them, if they are recorded.
  private(set) var orders: [(Relationship, owner: Int64, members: [Int64])] = []
  private var recorded: Set<OrderKey> = []
  private(set) var written = 0
  /// The position of the latest order of each owner's members.
  private var latest: [OrderKey: Int] = [:]
  /// The keys of the ``Change/order(_:_:members:)`` changes into which no members have been copied yet, because the
  /// order in memory can still change.
  private var open: Set<OrderKey> = []

  var isEmpty: Bool { changes.isEmpty }
  var count: Int { changes.count }
  var hasUnwritten: Bool { written < changes.count }
  var unwritten: ArraySlice<Change> { ArraySlice(changes[written...]) }

  mutating func append(_ change: Change) { changes.append(change) }

  mutating func note(_ effect: LinkChange) { effects.append(effect) }

  /// The difference that all effects have made together.
  var netEffects: ContiguousArray<LinkChange> {
    if effects.count < 2 { return effects }
    var net: Set<LinkChange> = []
    for effect in effects {
      let opposite = effect.opposite
      if opposite == effect || net.remove(opposite) == nil { net.insert(effect) }
    }
    let unknown = net.compactMap { if case .all(let join) = $0 { join } else { nil } }
    // Each once, in the order of the first.
    return effects.filter { (effect) -> Bool in
      if let join = effect.join, unknown.contains(join), effect != .all(join: join) { return false }
      return net.remove(effect) != nil
    }
  }

  func hasOrder(of relationship: Relationship, _ owner: Int64) -> Bool {
    recorded.contains(OrderKey(relationship, owner))
  }

  mutating func record(_ members: [Int64], of relationship: Relationship, _ owner: Int64) {
    recorded.insert(OrderKey(relationship, owner))
    orders.append((relationship, owner, members))
  }

  /// Records that the members of an ordered relationship, which are in memory, were reordered. The entry replaces the
  /// latest order of the same members, unless that was already copied for writing or for a mark.
  mutating func reorder(_ relationship: Relationship, _ owner: ManagedObject) {
    let key = OrderKey(relationship, owner._id)
    if open.contains(key), let last = latest[key] {
      if last == changes.count - 1 { return }
      changes[last] = .order(relationship, owner, members: [])
    }
    latest[key] = changes.count
    open.insert(key)
    changes.append(.order(relationship, owner, members: nil))
  }

  /// Copies the order of members if it must be written. Call this before the members leave memory.
  mutating func takeOrder(of relationship: Relationship, _ owner: ManagedObject, _ set: RelatedSet) {
    let key = OrderKey(relationship, owner._id)
    guard !open.isEmpty, open.remove(key) != nil, let last = latest[key] else { return }
    changes[last] = .order(relationship, owner, members: set.objects.map(\._id))
  }

  /// The orders for which ``takeOrder(of:_:_:)`` must be called.
  var openOrders: [(Relationship, ManagedObject)] {
    open.compactMap { key in
      guard let last = latest[key], case .order(let relationship, let owner, _) = changes[last] else { return nil }
      return (relationship, owner)
    }
  }

  /// The current length of the list. All orders must have been copied already, so that later changes do not affect
  /// them.
  var mark: Int { changes.count }

  mutating func markWritten() { written = changes.count }

  mutating func markUnwritten() {
    written = 0
    effects.removeAll()
    orders.removeAll()
    recorded.removeAll()
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
    latest.removeAll()
    open.removeAll()
    markUnwritten()
  }
}

/// Identifies the members of an owner's ordered relationship.
struct OrderKey: Hashable {
  private let relationship: ObjectIdentifier
  private let owner: Int64

  init(_ relationship: Relationship, _ owner: Int64) {
    self.relationship = ObjectIdentifier(relationship)
    self.owner = owner
  }
}
