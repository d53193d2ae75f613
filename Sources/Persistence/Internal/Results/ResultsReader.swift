/// Reads rows for all results of a store, and the commits of others.
///
/// `@unchecked Sendable`: the connection is made and used on the store's queue for commits alone.
final class ResultsReader: @unchecked Sendable {
  private var connection: Connection?
  private var history: HistoryLog?
  /// The store's state when it was last looked at for commits of others.
  private var dataVersion: Int64?

  /// The rows of a result, or those among some ids, and the number of the commit whose state they show.
  func entries(
    of plan: ResultsPlan, among ids: [Int64]?, in store: Store
  ) throws(PersistenceError) -> (ContiguousArray<ResultsEntry>, UInt64) {
    let connection = try connected(to: store)
    defer { connection.rollback() }
    let number = try beginReading(connection, store, ifUnknown: [])
    let statement = try ids == nil ? self.statement(for: plan, on: connection) : connection.statement(plan.some)
    // Of the arguments of a request with bounds, `some` has no use for the last ones: but then it is never asked for.
    try statement.bind(plan.arguments + (ids.map { [.text(SQL.json($0))] } ?? []))
    var entries: ContiguousArray<ResultsEntry> = []
    while try statement.step() { entries.append(plan.entry(of: statement)) }
    return (entries, number)
  }

  /// In the form that is best; in the plain one where that is more than SQLite takes.
  private func statement(for plan: ResultsPlan, on connection: Connection) throws(PersistenceError) -> Statement {
    let best = try plan.filter.best(for: plan.arguments, on: connection)
    do throws(PersistenceError) {
      return try connection.statement(plan.all(best))
    } catch {
      guard best != 0, case .database(let cause) = error, cause.isOfLimits else { throw FetchPlan.refusal(error) }
      return try connection.statement(plan.all(0))
    }
  }

  /// Tells what others have committed, if they have.
  func poll(_ store: Store) throws(PersistenceError) {
    let connection = try connected(to: store)
    let version = try connection.foreignDataVersion()
    if version == dataVersion { return }
    defer { connection.rollback() }
    // Without a history nothing more is known than that there may have been something.
    _ = try beginReading(connection, store, ifUnknown: [ChangeSet(everythingOf: store.schema)])
    // Only now: what cannot be read is asked for again.
    dataVersion = version
  }

  /// - Parameter unknown: what is told if the history of the store has ended.
  private func beginReading(
    _ connection: Connection, _ store: Store, ifUnknown unknown: [ChangeSet]
  ) throws(PersistenceError) -> UInt64 {
    try store.commits.beginReading { (seen) throws(PersistenceError) in
      try connection.beginReading()
      // The state that is seen is that of the first read.
      _ = try connection.statement("SELECT 1 FROM sqlite_master LIMIT 1").integer()
      guard let seen, let history else { return nil }
      return try history.unseen(after: seen) ?? (unknown, seen)
    }
  }

  func close() {
    connection?.close()
    connection = nil
    history = nil
  }

  private func connected(to store: Store) throws(PersistenceError) -> Connection {
    if let connection { return connection }
    let connection = try store.connect()
    self.connection = connection
    history = HistoryLog(connection, store.schema)
    return connection
  }
}
