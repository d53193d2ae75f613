internal import CLarderSQLite

extension Connection {
  private static let pagesAtATime: Int32 = 256

  /// Copies a snapshot of the database into an empty file. Others can keep reading and writing.
  func copy(
    to path: String, vfs: String?, progress: (_ done: Int, _ of: Int) -> Void
  ) throws(PersistenceError) {
    let opened = try Connection.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs: vfs)
    defer { sqlite3_close_v2(opened) }
    try Connection.execute("PRAGMA synchronous=FULL; PRAGMA fullfsync=1", on: opened)
    // Without this transaction, every commit by another connection would restart the copy.
    try beginReading()
    defer { rollback() }
    _ = try statement("SELECT count(*) FROM sqlite_master").integer()
    guard let backup = sqlite3_backup_init(opened, "main", handle, "main") else {
      throw PersistenceError(DatabaseError(opened, fallback: SQLITE_ERROR, sql: nil))
    }
    var result = SQLITE_OK
    while result == SQLITE_OK {
      // A backup does not notice interrupts.
      do throws(PersistenceError) {
        if let suspension { try PersistenceError.checkWithinLimit(suspension) }
      } catch {
        sqlite3_backup_finish(backup)
        throw error
      }
      result = sqlite3_backup_step(backup, Connection.pagesAtATime)
      let total = Int(sqlite3_backup_pagecount(backup))
      progress(total - Int(sqlite3_backup_remaining(backup)), total)
    }
    let finished = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE, finished == SQLITE_OK else {
      throw PersistenceError(
        DatabaseError(opened, fallback: result == SQLITE_DONE ? finished : result, sql: nil))
    }
  }
}
