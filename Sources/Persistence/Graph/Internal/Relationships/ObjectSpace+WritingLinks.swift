extension ObjectSpace {
  /// Copies the orders that must be written from memory in their current state.
  func takeOrders() {
    for (relationship, owner) in links.openOrders {
      let registry = registry(of: relationship.entity)
      if let set = registry.members(relationship, of: owner).pointee { links.takeOrder(of: relationship, owner, set) }
    }
  }

  func writeLinks() throws(PersistenceError) {
    takeOrders()
    try apply(links.unwritten, to: StoredLinks(space: self))
    links.markWritten()
  }

  func apply(_ changes: ArraySlice<PendingLinks.Change>, to writer: some LinkWriter) throws(PersistenceError) {
    var last = LastMembers()
    var isNewPair = true
    for change in changes {
      switch change {
      case .add(let join, let first, let second): isNewPair = try writer.add(join, first, second)
      case .remove(let join, let first, let second): try writer.remove(join, first, second)
      case .last(let relationship, let owner, let member):
        // A pair that existed before keeps its position.
        if case .join = relationship.storage, !isNewPair { continue }
        last.add(relationship, owner, member)
      case .order(let relationship, let owner, let members):
        // The order is empty if a later one has replaced it.
        guard let members, !members.isEmpty else { continue }
        if let earlier = last.take(relationship, owner._id) { try write(earlier, by: writer) }
        try writeOrder(of: relationship, owner._id, members, by: writer)
      case .clear(let join, let column, let id): try writer.clear(join, column, id)
      }
    }
    for group in last.groups { try write(group, by: writer) }
  }

  private func writeOrder(
    of relationship: Relationship, _ owner: Int64, _ members: [Int64], by writer: some LinkWriter
  ) throws(PersistenceError) {
    guard let order = relationship.orderColumn else { return }
    // Materialize the positions first, so that each one finds its row by the key.
    let sql = """
      WITH _larder_places(place,member) AS MATERIALIZED (SELECT key,value FROM json_each(?1)) \
      UPDATE \(try writer.table(of: relationship, owner)) AS members SET \(order)=_larder_places.place \
      FROM _larder_places WHERE members.\(relationship.memberColumn)=_larder_places.member \
      AND members.\(relationship.ownerColumn)=?2 AND members.\(order) IS NOT _larder_places.place
      """
    let statement = try connection.statement(sql)
    try statement.bind([.text(SQL.json(members)), .integer(owner)])
    try statement.run()
    writer.didReorder(relationship, owner)
  }

  /// Assigns new members the positions after all others. Members that do not have a position yet because they were
  /// written without objects come before them, sorted by id, which is where a fetch returns them.
  private func write(_ group: LastMembers.Group, by writer: some LinkWriter) throws(PersistenceError) {
    let relationship = group.relationship
    guard let order = relationship.orderColumn, !group.all.isEmpty else { return }
    let (member, owner) = (relationship.memberColumn, relationship.ownerColumn)
    let table = try writer.table(of: relationship, group.owner)
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

/// Writes pairs to the join tables, or to the tables of pending rows.
protocol LinkWriter {
  /// Returns whether the pair is new.
  func add(_ join: JoinTable, _ first: Int64, _ second: Int64) throws(PersistenceError) -> Bool
  func remove(_ join: JoinTable, _ first: Int64, _ second: Int64) throws(PersistenceError)
  func clear(_ join: JoinTable, _ column: String, _ id: Int64) throws(PersistenceError)
  /// The table whose rows for the members of an owner get new positions.
  func table(of relationship: Relationship, _ owner: Int64) throws(PersistenceError) -> String
  func didReorder(_ relationship: Relationship, _ owner: Int64)
}

/// The links in the store. Notes what has changed, if that is observed.
private struct StoredLinks: LinkWriter {
  let space: ObjectSpace

  func add(_ join: JoinTable, _ first: Int64, _ second: Int64) throws(PersistenceError) -> Bool {
    let isNew = try space.connection.run(
      "INSERT OR IGNORE INTO \(SQL.name(join.name))(\(join.columns)) VALUES(?,?)", first, second)
    if space.isRecording, isNew { space.links.note(.added(join: join.index, first: first, second: second)) }
    return isNew
  }

  func remove(_ join: JoinTable, _ first: Int64, _ second: Int64) throws(PersistenceError) {
    let isGone = try space.connection.run(
      "DELETE FROM \(SQL.name(join.name)) WHERE (\(join.columns))=(?,?)", first, second)
    if space.isRecording, isGone { space.links.note(.removed(join: join.index, first: first, second: second)) }
  }

  func clear(_ join: JoinTable, _ column: String, _ id: Int64) throws(PersistenceError) {
    let rows = "FROM \(SQL.name(join.name)) WHERE \(SQL.name(column))=?"
    if space.isRecording {
      let statement = try space.connection.statement("SELECT \(join.columns) \(rows)")
      try statement.bind([.integer(id)])
      while try statement.step() {
        space.links.note(.removed(join: join.index, first: statement.int64(0), second: statement.int64(1)))
      }
    }
    try space.connection.run("DELETE \(rows)", id)
  }

  func table(of relationship: Relationship, _ owner: Int64) -> String { relationship.memberTable }

  func didReorder(_ relationship: Relationship, _ owner: Int64) {
    guard space.isRecording, let relation = relationship.declaration.relation else { return }
    space.links.note(.reordered(entity: relationship.entity.index, relation: relation, owner: owner))
  }
}

extension Connection {
  /// Runs a statement with ids as its values. Returns whether it has changed anything.
  @discardableResult
  func run(_ sql: String, _ ids: Int64...) throws(PersistenceError) -> Bool {
    let statement = try statement(sql)
    try statement.bind(ids.map { .integer($0) })
    try statement.run()
    return statement.changes > 0
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
