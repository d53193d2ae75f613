extension ObjectSpace {
  /// Fetches what a request asks for, in one statement.
  func objects<Object: ManagedObject>(for request: FetchRequest<Object>) throws(PersistenceError) -> [Object] {
    let table = try table(of: Object.self)
    return try reading { () throws(PersistenceError) in
      // First, so that a query that is refused touches nothing.
      var plan = try plans.plan(for: request, table, on: connection)
      let arguments = plans.shape.arguments
      try writePending()
      try beginReading()
      plan = try plan.best(for: arguments, on: connection)
      // Collected as objects of the base class: a loop over an array of `Object` would not be specialised.
      var result: [ManagedObject] = []
      if plan.expectsKnownRows, try knownObjects(table, plan, arguments, into: &result) {
        together.add(result, of: table.entity, batchSize: request.batchSize)
        return Self.downcast(result)
      }
      try plan.all.bind(arguments)
      if plan.count.rows > 16 { result.reserveCapacity(plan.count.rows) }
      plan.count = try table.rows(of: plan.all) { (object: consuming ManagedObject) in result.append(object) }
      together.add(result, of: table.entity, batchSize: request.batchSize)
      return Self.downcast(result)
    }
  }

  /// Objects of one table, which holds instances of exactly this class.
  ///
  /// The arrays have the same layout, one reference to storage of references, whatever class these are of; the storage
  /// is this function's caller's own and never bridged.
  private static func downcast<Object: ManagedObject>(_ objects: [ManagedObject]) -> [Object] {
    unsafeBitCast(objects, to: [Object].self)
  }

  /// Asks for ids and versions only. False as soon as a row is not in memory as it is in the store.
  private func knownObjects(
    _ table: ObjectTable, _ plan: FetchPlan, _ arguments: ContiguousArray<StoredValue>,
    into result: inout [ManagedObject]
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
      result.append(object)
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
      try writePending()
      try beginReading()
      let best = try plan.best(for: arguments, on: connection)
      let statement: Statement
      do throws(PersistenceError) {
        statement = try connection.statement(text(best))
      } catch {
        // What is around the condition may make of it more than SQLite takes.
        guard best !== plan, case .database(let cause) = error, cause.isOfLimits else { throw FetchPlan.refusal(error) }
        do throws(PersistenceError) {
          statement = try connection.statement(text(plan))
        } catch {
          throw FetchPlan.refusal(error)
        }
      }
      try statement.bind(arguments)
      return try body(statement)
    }
  }
}
