extension ObjectSpace {
  /// The orders that are to be written, as they are in memory now.
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
        // A pair that was there before keeps its place.
        if case .join = relationship.storage, !isNewPair { continue }
        last.add(relationship, owner, member)
      case .order(let relationship, let owner, let members):
        // Empty where another one has replaced it.
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

  /// Whether it has changed anything.
  private func write(_ sql: String, _ first: Int64, _ second: Int64) throws(PersistenceError) -> Bool {
    let statement = try connection.statement(sql)
    try statement.bind([.integer(first), .integer(second)])
    try statement.run()
    return statement.changes > 0
  }

  /// The pairs that are about to go.
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
    // The places first, as a table of their own: each then finds its row by the key.
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

  /// Gives new members the places after all others. Those that have none yet, because they were written without
  /// objects, come before them in the order of their ids, where a fetch shows them.
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

/// New members of ordered relationships, owner by owner in the order in which they came.
private struct LastMembers {
  struct Group {
    let relationship: Relationship
    let owner: Int64
    /// One that came, left and came again is there more than once. The last one counts.
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

  /// Takes those of one owner out.
  mutating func take(_ relationship: Relationship, _ owner: Int64) -> Group? {
    guard let index = indexes[OrderKey(relationship, owner)], !groups[index].all.isEmpty else { return nil }
    defer { groups[index].all = [] }
    return groups[index]
  }
}
