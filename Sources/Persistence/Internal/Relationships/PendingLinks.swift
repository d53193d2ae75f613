/// Changes of many-to-many relationships that are not committed, in the order in which they were made.
struct PendingLinks {
  enum Change {
    case add(JoinTable, first: Int64, second: Int64)
    case remove(JoinTable, first: Int64, second: Int64)
    /// The members of an ordered relationship, in their order.
    case order(Relationship, owner: Int64, members: [Int64])
    /// All pairs of an object that is deleted; `column` is its side's.
    case clear(JoinTable, column: String, id: Int64)
  }

  private(set) var changes: ContiguousArray<Change> = []
  /// What those that are written have done, if somebody wants to know.
  private(set) var effects: ContiguousArray<LinkChange> = []
  private(set) var written = 0
  private var floor = 0
  /// Where the last order of each owner's members is.
  private var orders: [OrderKey: Int] = [:]
  /// Whose members are being changed one by one, to be put in order in the end: each order holds all of them.
  private var held: OrderKey?

  private struct OrderKey: Hashable {
    let relationship: ObjectIdentifier
    let owner: Int64
  }

  var isEmpty: Bool { changes.isEmpty }
  var count: Int { changes.count }
  var hasUnwritten: Bool { written < changes.count }
  var unwritten: ArraySlice<Change> { ArraySlice(changes[written...]) }

  mutating func append(_ change: Change) { changes.append(change) }

  mutating func note(_ effect: LinkChange) { effects.append(effect) }

  /// Takes the place of the last order of the same members, if that was neither written nor made before the mark: each holds all
  /// of them, and a loop that adds members one by one gives an order each time.
  mutating func setOrder(of relationship: Relationship, _ owner: Int64, _ members: [Int64]) {
    let key = OrderKey(relationship: ObjectIdentifier(relationship), owner: owner)
    if let last = orders[key], last >= max(written, floor), last < changes.count, case .order = changes[last] {
      if last == changes.count - 1 {
        changes.removeLast()
      } else {
        changes[last] = .order(relationship, owner: owner, members: [])
      }
    }
    orders[key] = changes.count
    changes.append(.order(relationship, owner: owner, members: members))
  }

  mutating func holdOrder(of relationship: Relationship, _ owner: Int64) {
    held = OrderKey(relationship: ObjectIdentifier(relationship), owner: owner)
  }

  mutating func releaseOrder() { held = nil }

  func isHolding(_ relationship: Relationship, _ owner: Int64) -> Bool {
    held == OrderKey(relationship: ObjectIdentifier(relationship), owner: owner)
  }

  mutating func mark() -> Int {
    floor = changes.count
    return floor
  }

  mutating func markWritten() { written = changes.count }

  mutating func unwrite() {
    written = 0
    effects.removeAll()
  }

  mutating func rollBack(to mark: Int) {
    changes.removeSubrange(min(mark, changes.count)...)
    orders.removeAll()
    floor = 0
    unwrite()
  }

  mutating func removeAll() {
    changes.removeAll(keepingCapacity: changes.count < 4096)
    orders.removeAll()
    floor = 0
    unwrite()
  }
}

extension ObjectSpace {
  func writeLinks() throws(PersistenceError) {
    let first = SQL.name(JoinTable.first)
    let second = SQL.name(JoinTable.second)
    let isRecorded = unit.watched != nil
    for change in links.unwritten {
      switch change {
      case .add(let join, let a, let b):
        let statement = try connection.statement(
          "INSERT OR IGNORE INTO \(SQL.name(join.name))(\(first),\(second)) VALUES(?,?)")
        try statement.bind([.integer(a), .integer(b)])
        try statement.run()
        if isRecorded, statement.changes > 0 { links.note(.added(join: join.index, first: a, second: b)) }
      case .remove(let join, let a, let b):
        let statement = try connection.statement(
          "DELETE FROM \(SQL.name(join.name)) WHERE \(first)=? AND \(second)=?")
        try statement.bind([.integer(a), .integer(b)])
        try statement.run()
        if isRecorded, statement.changes > 0 { links.note(.removed(join: join.index, first: a, second: b)) }
      case .order(let relationship, let owner, let members):
        // Another one has taken its place.
        if members.isEmpty { continue }
        try writeOrder(of: relationship, owner, members)
        if isRecorded, let relation = relationship.declaration.relation {
          links.note(.reordered(entity: relationship.entity.index, relation: relation, owner: owner))
        }
      case .clear(let join, let column, let id):
        if isRecorded { try notePairs(of: join, column, id) }
        let statement = try connection.statement("DELETE FROM \(SQL.name(join.name)) WHERE \(SQL.name(column))=?")
        try statement.bind([.integer(id)])
        try statement.run()
      }
    }
    links.markWritten()
  }

  /// The pairs that are about to go.
  private func notePairs(of join: JoinTable, _ column: String, _ id: Int64) throws(PersistenceError) {
    let statement = try connection.statement(
      "SELECT \(SQL.name(JoinTable.first)),\(SQL.name(JoinTable.second)) FROM \(SQL.name(join.name))"
        + " WHERE \(SQL.name(column))=?")
    try statement.bind([.integer(id)])
    while try statement.step() {
      links.note(.removed(join: join.index, first: statement.int64(0), second: statement.int64(1)))
    }
  }

  private func writeOrder(
    of relationship: Relationship, _ owner: Int64, _ members: [Int64]
  ) throws(PersistenceError) {
    guard let order = relationship.orderColumn else { return }
    // The places first, as a table of their own: each then finds its row by the key.
    let sql = """
      WITH _larder_places(place,member) AS MATERIALIZED (SELECT key,value FROM json_each(?1)) \
      UPDATE \(relationship.memberTable) AS members SET \(order)=place FROM _larder_places \
      WHERE members.\(relationship.memberColumn)=member AND members.\(relationship.ownerColumn)=?2 \
      AND members.\(order) IS NOT place
      """
    let statement = try connection.statement(sql)
    try statement.bind([.text(SQL.json(members)), .integer(owner)])
    try statement.run()
  }
}
