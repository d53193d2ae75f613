/// Reads rows for all live results of a store, and the commits of other processes and containers.
///
/// `@unchecked Sendable`: the connection is created and used only on the store's queue for commits.
final class ResultsReader: @unchecked Sendable {
  private var connection: Connection?
  private var history: HistoryLog?
  /// The store's data version at the last check for commits made elsewhere.
  private var dataVersion: Int64?
  /// The number of commits that the history does not count, as of the last read. It grows when another program writes.
  private var uncounted: UInt32?

  /// The rows of results, or those among some ids, with the number of the commit whose state they show.
  func entries(
    of plan: ResultsPlan, among ids: [Int64]?, in store: StoreAccess
  ) throws(PersistenceError) -> (ContiguousArray<ResultsEntry>, UInt64) {
    let connection = try connected(to: store)
    if plan.hasSearch { try connection.indexTextsIfFree(of: store.searchTables) }
    defer { connection.rollback() }
    let number = try beginReading(connection, store, ifUnknown: [])
    let statement = try ids == nil ? self.statement(for: plan, on: connection) : connection.statement(plan.some)
    // For a request with bounds, `some` does not use the last arguments. It is never needed for such a request.
    try statement.bind(plan.arguments + (ids.map { [.text(SQL.json($0))] } ?? []))
    var entries: ContiguousArray<ResultsEntry> = []
    while try statement.step() { entries.append(plan.entry(of: statement)) }
    return (entries, number)
  }

  /// The statement with the best form, or with the plain one if the best form exceeds SQLite's limits.
  private func statement(for plan: ResultsPlan, on connection: Connection) throws(PersistenceError) -> Statement {
    let best = try plan.filter.best(for: plan.arguments, on: connection)
    do throws(PersistenceError) {
      return try connection.statement(plan.all(best))
    } catch {
      guard best != 0, case .database(let cause) = error, cause.isOfLimits else { throw FetchPlan.refusal(error) }
      return try connection.statement(plan.all(0))
    }
  }

  /// Reports commits that were made elsewhere, if there are any.
  func poll(_ store: StoreAccess) throws(PersistenceError) {
    let connection = try connected(to: store)
    let version = try connection.foreignDataVersion()
    if version == dataVersion { return }
    defer { connection.rollback() }
    // Without a history, all that is known is that anything may have changed.
    _ = try beginReading(connection, store, ifUnknown: [ChangeSet(everythingOf: store.schema)])
    // Assigned last, so that a failed read is repeated.
    dataVersion = version
  }

  /// - Parameter unknown: The change sets to report if the store no longer has a history.
  private func beginReading(
    _ connection: Connection, _ store: StoreAccess, ifUnknown unknown: [ChangeSet]
  ) throws(PersistenceError) -> UInt64 {
    while true {
      do throws(PersistenceError) {
        return try store.commits.beginReading { (seen) throws(PersistenceError) in
          // An immutable file has no log, and counting would create its index.
          let isCounted = seen != nil && !store.configuration.isImmutable
          let count = try beginReading(connection, countingCommits: isCounted)
          guard let seen, let history else { return nil }
          guard var unseen = try history.unseen(after: seen) else { return (unknown, seen) }
          if isUnexplained(count, try history.count(upTo: unseen.last)) {
            unseen.sets.append(ChangeSet(everythingOf: store.schema))
          }
          return unseen
        }
      } catch {
        guard case .busy = error else { throw error }
        connection.rollback()
        try beginReading(connection)
        connection.rollback()
      }
    }
  }

  /// Begins without waiting, and returns the number of commits before and after that: if possible, the same number.
  private func beginReading(
    _ connection: Connection, countingCommits: Bool
  ) throws(PersistenceError) -> (before: UInt32?, after: UInt32?) {
    var count: (before: UInt32?, after: UInt32?)
    for _ in 0..<10 {
      if countingCommits { count.before = connection.commitCount }
      connection.rollback()
      try connection.withoutWaiting { () throws(PersistenceError) in try beginReading(connection) }
      if !countingCommits { break }
      count.after = connection.commitCount
      if count.before != nil && count.before == count.after { break }
    }
    return count
  }

  /// Whether there are commits that the history does not count, because another program made them.
  private func isUnexplained(_ count: (before: UInt32?, after: UInt32?), _ counted: UInt32) -> Bool {
    // If too many are expected here, too few are next time.
    defer { uncounted = count.before.map { $0 &- counted } }
    return uncounted.map { count.after.map { $0 &- counted } != $0 } ?? false
  }

  private func beginReading(_ connection: Connection) throws(PersistenceError) {
    try connection.beginReading()
    // The first read determines the snapshot.
    _ = try connection.statement("SELECT 1 FROM sqlite_master LIMIT 1").integer()
  }

  func close() {
    connection?.close()
    connection = nil
    history = nil
    dataVersion = nil
    uncounted = nil
  }

  private func connected(to store: StoreAccess) throws(PersistenceError) -> Connection {
    if let connection { return connection }
    let connection = try store.connect()
    self.connection = connection
    history = HistoryLog(connection, store.schema)
    return connection
  }
}
