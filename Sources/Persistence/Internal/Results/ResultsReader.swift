/// Reads rows for all results of a store.
///
/// `@unchecked Sendable`: the connection is made and used on the store's queue for commits alone.
final class ResultsReader: @unchecked Sendable {
  private var connection: Connection?

  /// The rows of a result, or those among some ids, and the number of the commit whose state they show.
  func entries(
    of plan: ResultsPlan, among ids: [Int64]?, in store: Store
  ) throws(PersistenceError) -> (ContiguousArray<ResultsEntry>, UInt64) {
    let connection = try connected(to: store)
    let number = try store.commits.beginReading { () throws(PersistenceError) in
      try connection.beginReading()
      // The state that is seen is that of the first read.
      _ = try connection.statement("SELECT 1 FROM sqlite_master LIMIT 1").integer()
    }
    defer { connection.rollback() }
    let statement = try connection.statement(ids == nil ? plan.all : plan.some)
    // Of the arguments of a request with bounds, `some` has no use for the last ones: but then it is never asked for.
    try statement.bind(plan.arguments + (ids.map { [.text(SQL.json($0))] } ?? []))
    var entries: ContiguousArray<ResultsEntry> = []
    while try statement.step() { entries.append(plan.entry(of: statement)) }
    return (entries, number)
  }

  func close() {
    connection?.close()
    connection = nil
  }

  private func connected(to store: Store) throws(PersistenceError) -> Connection {
    if let connection { return connection }
    let connection = try store.connect()
    self.connection = connection
    return connection
  }
}
