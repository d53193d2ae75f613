/// What a query has become: text for the store, and the values that go into it.
struct FetchClause {
  /// What follows WHERE, with a `?` for each argument; empty for all rows. The class's table is `t0`.
  var condition = ""
  var arguments: [StoredValue] = []
  /// What follows ORDER BY, without the id that always comes last.
  var order = ""
  var limit: Int?
  var offset: Int?

  /// What follows the table, and the values of all its marks. Two clauses of the same shape give the same text.
  var rest: String {
    var text = condition.isEmpty ? "" : "WHERE " + condition + " "
    text += order.isEmpty ? "ORDER BY t0.\"_id\"" : "ORDER BY " + order + ",t0.\"_id\""
    if limit != nil || offset != nil { text += " LIMIT ? OFFSET ?" }
    return text
  }

  var values: [StoredValue] {
    guard limit != nil || offset != nil else { return arguments }
    return arguments + [.integer(Int64(limit ?? -1)), .integer(Int64(offset ?? 0))]
  }
}

extension ObjectSpace {
  /// Fetches the objects that fit. Pending changes are seen.
  func fetch<Object: ManagedObject>(
    _ type: Object.Type, _ clause: FetchClause
  ) throws(PersistenceError) -> [Object] {
    let table = try table(of: type)
    return try reading { () throws(PersistenceError) in
      try writePending()
      try beginReading()
      let plan = try plan(for: table, clause.rest)
      var result: [Object] = []
      if plan.expectsKnownRows, try fetchKnown(table, plan, clause.values, into: &result) { return result }
      try plan.all.bind(clause.values)
      if plan.count.rows > 16 { result.reserveCapacity(plan.count.rows) }
      // The table holds instances of exactly this class.
      plan.count = try table.rows(of: plan.all) { result.append(unsafeDowncast($0, to: Object.self)) }
      return result
    }
  }

  private func plan(for table: ObjectTable, _ rest: String) throws(PersistenceError) -> FetchPlan {
    try plans.plan(FetchPlans.Key(entity: table.entity.index, rest: rest)) { () throws(PersistenceError) in
      try FetchPlan(table.entity, rest: rest, on: connection)
    }
  }

  /// Asks for ids and versions only. False as soon as a row is not in memory as it is in the store.
  private func fetchKnown<Object: ManagedObject>(
    _ table: ObjectTable, _ plan: FetchPlan, _ values: [StoredValue], into result: inout [Object]
  ) throws(PersistenceError) -> Bool {
    let statement = try plan.ids(on: connection)
    try statement.bind(values)
    result.reserveCapacity(plan.count.rows)
    while try statement.step() {
      guard let object = table.map.object(statement.int64(0)),
        object._version == UInt32(truncatingIfNeeded: statement.int64(1))
      else {
        statement.reset()
        result.removeAll(keepingCapacity: true)
        plan.count.known = 0
        return false
      }
      result.append(unsafeDowncast(object, to: Object.self))
    }
    plan.count = .init(rows: result.count, known: result.count)
    return true
  }

  /// The first number that a statement gives for a condition, such as a count.
  func integer<Object: ManagedObject>(
    _ expression: String, of type: Object.Type, _ clause: FetchClause
  ) throws(PersistenceError) -> Int64? {
    let table = try table(of: type)
    return try reading { () throws(PersistenceError) in
      try writePending()
      try beginReading()
      let condition = clause.condition.isEmpty ? "" : " WHERE " + clause.condition
      let statement = try connection.statement("SELECT \(expression) FROM \(table.entity.table) AS t0" + condition)
      try statement.bind(clause.arguments)
      return try statement.integer()
    }
  }
}

extension ObjectTable {
  /// The object with this id from the store.
  func fetch(_ id: Int64) throws(PersistenceError) -> ManagedObject? {
    try space.reading { () throws(PersistenceError) in
      if !changes.isWritten { try space.writePending() }
      try space.beginReading()
      let statement = try space.connection.statement(statements.byID)
      _ = statement.bind(id, at: 1)
      var result: ManagedObject?
      _ = try rows(of: statement) { result = $0 }
      return result
    }
  }

  /// The objects with these ids from the store, in the order of the ids.
  func fetch(_ ids: some Sequence<Int64>) throws(PersistenceError) -> ContiguousArray<ManagedObject> {
    try space.reading { () throws(PersistenceError) in
      if !changes.isWritten { try space.writePending() }
      try space.beginReading()
      let statement = try space.connection.statement(statements.byIDs)
      _ = statement.bind(.text(SQL.json(ids)), at: 1)
      var result: ContiguousArray<ManagedObject> = []
      _ = try rows(of: statement) { result.append($0) }
      return result
    }
  }

  /// Every object reads its row again; those without a row are deleted.
  func reload() throws(PersistenceError) {
    let objects = map.objects()
    for object in objects { object._version = .max }
    let found = Set(try fetch(objects.map(\._id)).map { ObjectIdentifier($0) })
    for object in objects where !found.contains(ObjectIdentifier(object)) {
      map.remove(object)
      detach(object)
    }
  }
}
