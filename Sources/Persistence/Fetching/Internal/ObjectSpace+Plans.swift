extension ObjectSpace {
  /// Fetches the objects that a request describes, in one statement.
  func objects<Object: ManagedObject>(for request: FetchDescriptor<Object>) throws(PersistenceError) -> [Object] {
    let registry = try registry(of: Object.self)
    return try reading { () throws(PersistenceError) in
      // First, so that a refused query has no effects.
      let (plan, arguments) = try plans.plan(for: request, registry.entity, on: connection)
      let pending = try beginQuery(isSearch: plan.hasSearch)
      let (variant, named) = try plan.including(pending, on: connection)
      let result = try whileNaming(named) { () throws(PersistenceError) in
        try variant.objects(of: registry, arguments, on: connection)
      }
      together.add(result, of: registry.entity, batchSize: request.batchSize)
      return Self.downcast(result)
    }
  }

  /// Casts the objects of one registry, which are instances of exactly this class.
  ///
  /// The arrays have the same layout for every class, which is one reference to storage of references. The caller of
  /// this function owns the storage, which is never bridged.
  private static func downcast<Object: ManagedObject>(_ objects: [ManagedObject]) -> [Object] {
    unsafeBitCast(objects, to: [Object].self)
  }

  /// Runs another statement over the rows of a request.
  func statement<Object: ManagedObject, Result>(
    for request: FetchDescriptor<Object>, _ text: (FetchPlan) -> String,
    body: (Statement) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    try statement(for: request, selecting: [], { plan, _, _ in text(plan) }, body: body)
  }

  /// Runs a statement over the rows of a request that also selects terms.
  ///
  /// - Parameter text: The statement, with the columns of the terms and the generator that has their joins.
  func statement<Object: ManagedObject, Result>(
    for request: FetchDescriptor<Object>, selecting terms: [SelectedTerm],
    _ text: (FetchPlan, SQLGenerator, _ columns: [String]) -> String,
    body: (Statement) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    let registry = try registry(of: Object.self)
    return try reading { () throws(PersistenceError) in
      // The plan may come from another request with the same SQL, so that its generator has other arguments.
      let (known, arguments) = try plans.plan(for: request, registry.entity, on: connection)
      var plan = known
      func withColumns(_ plan: FetchPlan) throws(PersistenceError) -> (SQLGenerator, [String]) {
        var generator = plan.generator
        generator.arguments = arguments
        let columns = try generator.columns(terms)
        return (generator, columns)
      }
      var (generator, columns) = try withColumns(plan)
      let pending = try beginQuery(isSearch: generator.hasSearch)
      var named: [PendingTable] = []
      if !pending.isEmpty {
        (plan, named) = try plan.including(pending, selecting: terms, on: connection)
        (generator, columns) = try withColumns(plan)
      }
      return try whileNaming(named) { () throws(PersistenceError) in
        try run(plan, generator, columns, text, body)
      }
    }
  }

  private func run<Result>(
    _ plan: FetchPlan, _ generator: SQLGenerator, _ columns: [String],
    _ text: (FetchPlan, SQLGenerator, _ columns: [String]) -> String,
    _ body: (Statement) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    let best = try plan.best(for: generator.arguments, on: connection)
    let statement: Statement
    do throws(PersistenceError) {
      statement = try connection.statement(text(best, generator, columns))
    } catch {
      // The text around the condition may exceed SQLite's limits.
      guard best !== plan, case .database(let cause) = error, cause.isOfLimits else { throw FetchPlan.refusal(error) }
      do throws(PersistenceError) {
        statement = try connection.statement(text(plan, generator, columns))
      } catch {
        throw FetchPlan.refusal(error)
      }
    }
    try statement.bind(generator.arguments)
    return try body(statement)
  }
}
