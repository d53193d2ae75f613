internal import CSQLite

/// A reader that keeps a checkpoint from SQLite's WAL-reset race, by which acknowledged commits are lost.
///
/// A checkpoint reads how long the log is, and then how much of it is taken over. If all of it is, and a commit begins
/// the log again in between, the checkpoint takes the new log for a long one of which nothing is taken over, and then
/// writes down that all of it was: the commits that follow are never taken over. SQLite 3.7.0 to 3.51.2 have the race,
/// but for 3.44.6 and 3.50.7 and what follows on their lines: <https://sqlite.org/wal.html#walresetbug>.
///
/// A reader that began before makes it harmless. If it reads from the log, nobody can begin the log again. If all of
/// the log was taken over it reads the file alone, and holds the lock that a checkpoint needs to change the file: a
/// checkpoint that is wrong about the log copies nothing then, and there was nothing to copy. Writers do not wait for
/// it.
final class CheckpointGuard {
  private let handle: OpaquePointer

  /// Whether this SQLite has the race.
  static let isNeeded = isNeeded(by: sqlite3_libversion_number())

  static func isNeeded(by version: Int32) -> Bool {
    switch version {
    case 3_044_006..<3_045_000, 3_050_007..<3_051_000: false
    case 3_007_000..<3_051_003: true
    default: false
    }
  }

  /// Opens a connection of its own and begins to read. Nil if no guard is needed.
  init?(_ place: StorePlace, _ configuration: StoreConfiguration) throws(PersistenceError) {
    guard configuration.guardsCheckpoints else { return nil }
    let opened = try Connection.open(place.name, SQLITE_OPEN_READWRITE, vfs: configuration.vfs)
    sqlite3_busy_timeout(opened, configuration.busyMilliseconds)
    handle = opened
    // Should it be the last one to close, it takes over what is left of the log.
    try Connection.execute("PRAGMA synchronous=FULL; PRAGMA fullfsync=1", on: handle)
    try begin()
  }

  deinit { sqlite3_close_v2(handle) }

  /// Begins again, to read what has been committed and taken over by now.
  func restart() throws(PersistenceError) {
    try Connection.execute("ROLLBACK", on: handle)
    try begin()
  }

  private func begin() throws(PersistenceError) {
    // The lock is taken with the first read.
    try Connection.execute("BEGIN; SELECT 1 FROM sqlite_master LIMIT 1", on: handle)
  }
}
