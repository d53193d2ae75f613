extension ObjectSpace {
  /// Fetches what a request asks for, in one statement.
  func objects<Object: ManagedObject>(for request: FetchRequest<Object>) throws(PersistenceError) -> [Object] {
    let table = try table(of: Object.self)
    return try reading { () throws(PersistenceError) in
      // First, so that a query that is refused touches nothing.
      let plan = try plans.plan(for: request, table, on: connection)
      let arguments = plans.shape.arguments
      try writePending()
      try beginReading()
      var result: [Object] = []
      if plan.expectsKnownRows, try knownObjects(table, plan, arguments, into: &result) { return result }
      try plan.all.bind(arguments)
      if plan.count.rows > 16 { result.reserveCapacity(plan.count.rows) }
      // The table holds instances of exactly this class.
      plan.count = try table.rows(of: plan.all) { result.append(unsafeDowncast($0, to: Object.self)) }
      return result
    }
  }

  /// Asks for ids and versions only. False as soon as a row is not in memory as it is in the store.
  private func knownObjects<Object: ManagedObject>(
    _ table: ObjectTable, _ plan: FetchPlan, _ arguments: ContiguousArray<StoredValue>, into result: inout [Object]
  ) throws(PersistenceError) -> Bool {
    let statement = try plan.ids(on: connection)
    try statement.bind(arguments)
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

  /// Runs another statement over the rows of a request.
  func statement<Object: ManagedObject, Result>(
    for request: FetchRequest<Object>, _ text: (FetchPlan) throws(PersistenceError) -> String,
    body: (Statement) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    let table = try table(of: Object.self)
    return try reading { () throws(PersistenceError) in
      let plan = try plans.plan(for: request, table, on: connection)
      let arguments = plans.shape.arguments
      let statement = try connection.statement(text(plan))
      try writePending()
      try beginReading()
      try statement.bind(arguments)
      return try body(statement)
    }
  }
}
