/// SQL for tables that the schema does not describe. It does not change objects in memory.
extension ObjectSpace {
  /// Returns the rows of a query. In `persist`, it reads what was written so far, without writing what is pending.
  package func rows(_ sql: String, _ values: [StoredValue] = []) throws(PersistenceError) -> [[StoredValue]] {
    try reading { () throws(PersistenceError) in
      try beginReading()
      let statement = try statement(sql, values)
      statement.isBusy = true
      defer { statement.isBusy = false }
      var rows: [[StoredValue]] = []
      while try statement.step() { rows.append((0..<statement.columns).map { statement.value($0) }) }
      return rows
    }
  }

  /// Runs a statement in the transaction of the enclosing `persist`, which commits it even if no object has changed.
  ///
  /// - Returns: The number of changed rows, if the statement inserts, updates or deletes.
  @discardableResult
  package func run(_ sql: String, _ values: [StoredValue] = []) throws(PersistenceError) -> Int {
    guard isIsolated else { throw .wrongContext }
    guard unit.phase == .persisting else { throw .notPersisting }
    try beginWriting()
    let statement = try statement(sql, values)
    try statement.run()
    unit.hasWrittenRows = true
    return statement.changes
  }

  /// Runs a closure after the transaction in which rows were written is committed, and not if it is rolled back.
  package func whenCommitted(_ action: @escaping @Sendable () -> Void) { unit.whenCommitted.append(action) }

  private func statement(_ sql: String, _ values: [StoredValue]) throws(PersistenceError) -> Statement {
    let statement = try connection.statement(sql)
    // A value that is not bound would be that of an earlier call.
    guard statement.parameters == values.count else {
      let text = "there are \(values.count) values for \(statement.parameters) parameters"
      throw .queryFailed(SQLQueryFailure(.invalidArgument, text, sql: sql))
    }
    try statement.bind(values)
    return statement
  }
}
