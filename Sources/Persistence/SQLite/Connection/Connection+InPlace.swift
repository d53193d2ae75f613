internal import CLarderSQLite

extension Connection {
  /// The log of a database that is open. Nil if it has none.
  static func log(of database: OpaquePointer) -> OpenFile? {
    sqlite3_db_filename(database, "main").flatMap { OpenFile(String(cString: sqlite3_filename_wal($0))) }
  }

  /// Whether the file and its log are still at their paths. What is written to them otherwise is lost as soon as they
  /// are closed, or is missed by everyone who opens the store from then on. Takes a few microseconds.
  var isInPlace: Bool { log.map { $0.isInPlace && !hasMoved } ?? true }

  private var hasMoved: Bool {
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return hasMoved != 0
  }

  /// Copies the log to the file if another one has taken the path of the file. SQLite would apply the log to that one.
  /// Called before the connection is closed.
  ///
  /// Only the last connection that wrote does this, and only if no one has written to the log since: a program that
  /// opened the other file uses the same log, and would lose its commits.
  func separateFromReplacement() {
    guard let log, log.isInPlace, hasMoved, OpenFile(place.name) != nil, let lastVersion,
      (try? foreignDataVersion()) == lastVersion
    else { return }
    busyWait.limit = 0
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }
}
