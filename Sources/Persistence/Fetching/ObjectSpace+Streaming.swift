extension ObjectSpace {
  /// Calls a closure for each object that a request asks for, in its order, reading ``FetchRequest/batchSize`` rows at
  /// a time.
  ///
  /// Objects that nobody holds go as the next batch comes, so that a million of them take no more memory than one
  /// batch. Objects that are changed are held until they are saved. Rows that the closure inserts or changes by way of
  /// further fetches may or may not be met.
  ///
  /// - Throws: what the closure throws, which ends the reading; or ``PersistenceError``.
  public func forEach<Object: ManagedObject>(
    _ request: FetchRequest<Object>, _ body: (Object) throws -> Void
  ) throws {
    let table = try table(of: Object.self)
    let size = max(1, request.batchSize)
    let rows = try openRows(of: request, table)
    defer { rows.reset() }
    var isLast = false
    while !isLast {
      let batch = try reading { () throws(PersistenceError) in
        var batch: [Object] = []
        // A batch may be meant to hold all there is.
        batch.reserveCapacity(min(size, 4096))
        // The table holds instances of exactly this class.
        let count = try table.rows(of: rows, limit: size) { batch.append(unsafeDowncast($0, to: Object.self)) }
        isLast = count.rows < size
        together.add(batch, of: table.entity, batchSize: size)
        try prefetch(request.prefetched, of: batch, table)
        return batch
      }
      for object in batch { try body(object) }
    }
  }

  /// A statement of its own: others of the same shape may run meanwhile.
  private func openRows<Object: ManagedObject>(
    of request: FetchRequest<Object>, _ table: ObjectTable
  ) throws(PersistenceError) -> Statement {
    try reading { () throws(PersistenceError) in
      let plan = try plans.plan(for: request, table, on: connection)
      let arguments = plans.shape.arguments
      try writePending()
      try beginReading()
      let rows = try connection.prepare(plan.best(for: arguments, on: connection).all.sql)
      try rows.bind(arguments)
      return rows
    }
  }
}
