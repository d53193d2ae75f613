internal import CLarderSQLite

/// A reader that protects a checkpoint from SQLite's WAL-reset race, which loses acknowledged commits.
///
/// A checkpoint reads the length of the log, and then how much of it has been copied to the database file. Suppose all
/// of it has been copied, and a commit restarts the log between the two reads. The checkpoint then mistakes the new log
/// for a long one that has not been copied, and afterward records that all of it was. The commits that follow are
/// never copied. SQLite 3.7.0 to 3.51.2 have the race, except 3.44.6, 3.50.7 and later releases on those two branches:
/// <https://sqlite.org/wal.html#walresetbug>.
///
/// A reader that began earlier makes the race harmless. If it reads from the log, no connection can restart the log. If
/// all of the log was copied, the guard reads only the database file and holds the lock that a checkpoint needs to
/// change that file. A checkpoint that is wrong about the log then copies nothing, and there was nothing to copy.
/// Writers do not wait for the guard.
final class CheckpointGuard {
  private let handle: OpaquePointer
  private let busyWait: BusyWait
  private let suspension: StoreSuspension?
  private let member: Int?

  /// Whether this version of SQLite has the race.
  static let isNeeded = isNeeded(by: sqlite3_libversion_number())

  static func isNeeded(by version: Int32) -> Bool {
    switch version {
    case 3_044_006..<3_045_000, 3_050_007..<3_051_000: false
    case 3_007_000..<3_051_003: true
    default: false
    }
  }

  /// Opens a separate connection and begins to read. Returns nil if no guard is needed.
  init?(_ place: StorePlace, _ configuration: StoreConfiguration) throws(PersistenceError) {
    guard configuration.guardsCheckpoints, CheckpointGuard.isNeeded else { return nil }
    suspension = configuration.suspension
    (handle, member) = try Connection.enter(place, configuration, as: place.name, SQLITE_OPEN_READWRITE)
    busyWait = BusyWait(on: handle, atMost: configuration.busyMilliseconds, suspension)
    // If this is the last connection to close, it checkpoints the rest of the log.
    try Connection.execute("PRAGMA synchronous=FULL; PRAGMA fullfsync=1", on: handle)
    try begin()
  }

  deinit {
    sqlite3_close_v2(handle)
    if let member { suspension?.leave(member) }
  }

  /// Starts a new read transaction, which sees what has been committed and checkpointed by now.
  func restart() throws(PersistenceError) {
    try Connection.execute("ROLLBACK", on: handle)
    try begin()
  }

  private func begin() throws(PersistenceError) {
    // The first read takes the lock.
    try Connection.execute("BEGIN; SELECT 1 FROM sqlite_master LIMIT 1", on: handle)
  }
}
