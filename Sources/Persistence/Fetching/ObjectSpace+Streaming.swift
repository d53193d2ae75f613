extension ObjectSpace {
  /// Calls a closure for each object that a request describes, in the request's order. The method reads
  /// ``FetchDescriptor/batchSize`` rows at a time.
  ///
  /// Objects that are not referenced elsewhere are released when the next batch is read, so iterating over a million
  /// objects uses little more memory than iterating over one batch: eight bytes for each object outside `persist`,
  /// where all ids are read first, and nothing within. Changed objects are retained until they are saved. If
  /// the closure inserts objects, or changes objects that it has fetched separately, it is undefined whether the
  /// iteration includes those objects.
  ///
  /// - Throws: The error that the closure throws, or a ``PersistenceError`` if the store cannot be read. Either error
  ///   ends the iteration.
  public func forEach<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>, _ body: (Object) throws -> Void
  ) throws {
    let registry = try registry(of: Object.self)
    let size = max(1, request.batchSize)
    if unit.phase != .persisting { return try forEach(request, registry, size, body) }
    let rows = try openRows(of: request, registry)
    defer { rows.reset() }
    var isLast = false
    while !isLast {
      let batch = try reading { () throws(PersistenceError) in
        var batch: [Object] = []
        // The batch size may be chosen to cover all rows.
        batch.reserveCapacity(min(size, 4096))
        // The registry holds instances of exactly this class.
        let count = try registry.rows(of: rows, limit: size) { batch.append(unsafeDowncast($0, to: Object.self)) }
        isLast = count.rows < size
        together.add(batch, of: registry.entity, batchSize: size)
        try prefetch(request.prefetched, of: batch, registry)
        return batch
      }
      for object in batch { try body(object) }
    }
  }

  /// Outside `persist`, temporary tables may be created, filled and emptied while the closure runs, which a running
  /// statement would not survive. Therefore, only the ids are read in advance.
  private func forEach<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>, _ registry: EntityRegistry, _ size: Int, _ body: (Object) throws -> Void
  ) throws {
    var rest = try fetchIDs(request)[...]
    while !rest.isEmpty {
      let ids = rest.prefix(size)
      rest = rest.dropFirst(size)
      let batch = try reading { () throws(PersistenceError) in
        let fetched = try registry.fetch(ids.map(\.rawValue))
        // An object that was deleted in the meantime is missing. The registry holds instances of exactly this class.
        let batch = ids.compactMap { registry.map.object($0.rawValue).map { unsafeDowncast($0, to: Object.self) } }
        withExtendedLifetime(fetched) {}
        together.add(batch, of: registry.entity, batchSize: size)
        try prefetch(request.prefetched, of: batch, registry)
        return batch
      }
      for object in batch { try body(object) }
    }
  }

  /// Prepares a separate statement, because others of the same shape may run during the iteration.
  private func openRows<Object: ManagedObject>(
    of request: FetchDescriptor<Object>, _ registry: EntityRegistry
  ) throws(PersistenceError) -> Statement {
    try reading { () throws(PersistenceError) in
      let (plan, arguments) = try plans.plan(for: request, registry.entity, on: connection)
      _ = try beginQuery(isSearch: plan.hasSearch)
      let rows = try connection.prepare(plan.best(for: arguments, on: connection).all.sql)
      try rows.bind(arguments)
      return rows
    }
  }
}
