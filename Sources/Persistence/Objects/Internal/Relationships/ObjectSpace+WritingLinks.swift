extension ObjectSpace {
  /// Copies the orders that must be written from memory in their current state.
  func takeOrders() {
    for (relationship, owner) in links.openOrders {
      let table = table(of: relationship.entity)
      if let set = table.members(relationship, of: owner).pointee { links.takeOrder(of: relationship, owner, set) }
    }
  }

  func writeLinks() throws(PersistenceError) {
    takeOrders()
    var last = LastMembers()
    var isNewPair = true
    for change in links.unwritten {
      switch change {
      case .add(let join, let first, let second):
        isNewPair = try write(
          "INSERT OR IGNORE INTO \(SQL.name(join.name))(\(join.columns)) VALUES(?,?)", first, second)
        if isRecording, isNewPair { links.note(.added(join: join.index, first: first, second: second)) }
      case .remove(let join, let first, let second):
        let isGone = try write("DELETE FROM \(SQL.name(join.name)) WHERE (\(join.columns))=(?,?)", first, second)
        if isRecording, isGone { links.note(.removed(join: join.index, first: first, second: second)) }
      case .last(let relationship, let owner, let member):
        // A pair that existed before keeps its position.
        if case .join = relationship.storage, !isNewPair { continue }
        last.add(relationship, owner, member)
      case .order(let relationship, let owner, let members):
        // The order is empty if a later one has replaced it.
        guard let members, !members.isEmpty else { continue }
        if let earlier = last.take(relationship, owner._id) { try write(earlier) }
        try writeOrder(of: relationship, owner._id, members)
        if isRecording, let relation = relationship.declaration.relation {
          links.note(.reordered(entity: relationship.entity.index, relation: relation, owner: owner._id))
        }
      case .clear(let join, let column, let id):
        if isRecording { try notePairs(of: join, column, id) }
        let statement = try connection.statement("DELETE FROM \(SQL.name(join.name)) WHERE \(SQL.name(column))=?")
        try statement.bind([.integer(id)])
        try statement.run()
      }
    }
    for group in last.groups { try write(group) }
    links.markWritten()
  }

  /// Runs a statement. Returns whether it has changed anything.
  private func write(_ sql: String, _ first: Int64, _ second: Int64) throws(PersistenceError) -> Bool {
    let statement = try connection.statement(sql)
    try statement.bind([.integer(first), .integer(second)])
    try statement.run()
    return statement.changes > 0
  }

  /// Records the pairs that are about to be deleted.
  private func notePairs(of join: JoinTable, _ column: String, _ id: Int64) throws(PersistenceError) {
    let statement = try connection.statement(
      "SELECT \(join.columns) FROM \(SQL.name(join.name)) WHERE \(SQL.name(column))=?")
    try statement.bind([.integer(id)])
    while try statement.step() {
      links.note(.removed(join: join.index, first: statement.int64(0), second: statement.int64(1)))
    }
  }

  private func writeOrder(
    of relationship: Relationship, _ owner: Int64, _ members: [Int64]
  ) throws(PersistenceError) {
    guard let order = relationship.orderColumn else { return }
    // Materialize the positions first, so that each one finds its row by the key.
    let sql = """
      WITH _larder_places(place,member) AS MATERIALIZED (SELECT key,value FROM json_each(?1)) \
      UPDATE \(relationship.memberTable) AS members SET \(order)=_larder_places.place FROM _larder_places \
      WHERE members.\(relationship.memberColumn)=_larder_places.member \
      AND members.\(relationship.ownerColumn)=?2 AND members.\(order) IS NOT _larder_places.place
      """
    let statement = try connection.statement(sql)
    try statement.bind([.text(SQL.json(members)), .integer(owner)])
    try statement.run()
  }

  /// Assigns new members the positions after all others. Members that do not have a position yet because they were
  /// written without objects come before them, sorted by id, which is where a fetch returns them.
  private func write(_ group: LastMembers.Group) throws(PersistenceError) {
    let relationship = group.relationship
    guard let order = relationship.orderColumn else { return }
    let (table, member, owner) = (relationship.memberTable, relationship.memberColumn, relationship.ownerColumn)
    let sql = """
      WITH _larder_new(place,member) AS MATERIALIZED (SELECT key,value FROM json_each(?1)), \
      _larder_moved(member) AS (SELECT \(member) FROM \(table) WHERE \(owner)=?2 AND \(order) IS NULL \
      UNION SELECT \(table).\(member) FROM _larder_new CROSS JOIN \(table) \
      ON \(table).\(member)=_larder_new.member WHERE \(table).\(owner)=?2), \
      _larder_places(place,member) AS MATERIALIZED (SELECT \
      (SELECT coalesce(max(\(order)),-1) FROM \(table) WHERE \(owner)=?2) \
      +row_number() OVER (ORDER BY _larder_new.place NOT NULL,_larder_new.place,_larder_moved.member),\
      _larder_moved.member FROM _larder_moved LEFT JOIN _larder_new ON _larder_new.member=_larder_moved.member) \
      UPDATE \(table) AS members SET \(order)=_larder_places.place FROM _larder_places \
      WHERE members.\(member)=_larder_places.member AND members.\(owner)=?2
      """
    let statement = try connection.statement(sql)
    try statement.bind([.text(SQL.json(group.members)), .integer(group.owner)])
    try statement.run()
  }
}

/// New members of ordered relationships, grouped by owner, in the order in which they were added.
private struct LastMembers {
  struct Group {
    let relationship: Relationship
    let owner: Int64
    /// A member that was added, removed and added again occurs more than once. The last occurrence counts.
    var all: [Int64] = []

    var members: [Int64] {
      var seen: Set<Int64> = []
      return all.reversed().filter { seen.insert($0).inserted }.reversed()
    }
  }

  private var indexes: [OrderKey: Int] = [:]
  private(set) var groups: [Group] = []

  mutating func add(_ relationship: Relationship, _ owner: Int64, _ member: Int64) {
    let key = OrderKey(relationship, owner)
    let index = indexes[key] ?? groups.count
    if index == groups.count {
      indexes[key] = index
      groups.append(Group(relationship: relationship, owner: owner))
    }
    groups[index].all.append(member)
  }

  /// Removes and returns the members of an owner.
  mutating func take(_ relationship: Relationship, _ owner: Int64) -> Group? {
    guard let index = indexes[OrderKey(relationship, owner)], !groups[index].all.isEmpty else { return nil }
    defer { groups[index].all = [] }
    return groups[index]
  }
}
