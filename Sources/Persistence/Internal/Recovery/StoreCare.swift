internal import Foundation

/// Work on a store as a whole, on a connection of its own.
struct StoreCare {
  private let connection: Connection
  private let checkpointer: Checkpointer?
  private let busyTimeout: Duration

  init(_ store: Store) throws(PersistenceError) {
    // What is left in the log is taken over here.
    connection = try store.connect(isTold: false)
    checkpointer = store.checkpointer
    busyTimeout = store.configuration.busyTimeout
  }

  func check() throws(PersistenceError) -> IntegrityReport {
    try connection.beginReading()
    defer { connection.rollback() }
    var problems: [String] = []
    var dangling: [String: Int] = [:]
    do {
      let statement = try connection.statement("PRAGMA integrity_check(100)")
      while try statement.step() {
        let text = statement.text(0)
        if text != "ok" { problems.append(text) }
      }
      let references = try connection.statement("PRAGMA foreign_key_check")
      while try references.step() { dangling[references.text(0), default: 0] += 1 }
    } catch {
      // A file can be damaged beyond what the check itself can read.
      guard case .corrupt(let cause) = error else { throw error }
      problems.append(cause.message)
    }
    return IntegrityReport(problems: problems, dangling: dangling)
  }

  func compact() throws(PersistenceError) -> (before: Int, after: Int) {
    let before = try size()
    // The new store is built in a temporary file, which must not be in memory.
    try connection.execute("PRAGMA temp_store=FILE")
    guard let checkpointer else {
      try connection.execute("VACUUM")
      return (before, try size())
    }
    try connection.execute("PRAGMA wal_autocheckpoint=0")
    // Two cannot take over the log at once: the later one is refused, and the log would keep its length.
    try checkpointer.exclusively { () throws(PersistenceError) in
      try connection.execute("VACUUM")
      try emptyLog()
    }
    return (before, try size())
  }

  /// SQLite waits for readers and writers, and not for another process that takes over the log. A reader that stays longer
  /// keeps the log from being emptied; then a later checkpoint does it.
  private func emptyLog() throws(PersistenceError) {
    let deadline = ContinuousClock.now + busyTimeout
    let statement = try connection.statement("PRAGMA wal_checkpoint(TRUNCATE)")
    while try statement.integer() != 0, ContinuousClock.now < deadline { usleep(2_000) }
  }

  private func size() throws(PersistenceError) -> Int {
    let pages = try connection.statement("PRAGMA page_count").integer() ?? 0
    return Int(pages * (try connection.statement("PRAGMA page_size").integer() ?? 0))
  }
}
