internal import CLarderSQLite

/// A connection that opens whatever it can, and treats a read error as the end of the data.
final class RawConnection {
  private let handle: OpaquePointer

  init(_ path: String) throws(PersistenceError) {
    let opened = try Connection.open(path, SQLITE_OPEN_READWRITE, vfs: nil)
    handle = opened
    // With a writable schema, SQLite opens a file that is shorter than its header says.
    for pragma in ["writable_schema=ON", "cell_size_check=ON", "trusted_schema=OFF", "foreign_keys=OFF"] {
      sqlite3_exec(opened, "PRAGMA \(pragma)", nil, nil, nil)
    }
  }

  deinit { sqlite3_close_v2(handle) }

  func readSchema() throws(PersistenceError) {
    try Connection.execute("SELECT count(*) FROM sqlite_master", on: handle)
  }

  /// Switches the file to a journal mode without a log, which requires exclusive access.
  func leaveLog() throws(PersistenceError) {
    try Connection.execute("PRAGMA journal_mode=DELETE", on: handle)
  }

  /// Steps through the rows. Returns false if not all of them could be read.
  func scan(_ sql: String, _ values: [Int64], _ body: (Statement) -> Void) -> Bool {
    do throws(PersistenceError) {
      let statement = try Statement(sql, on: handle)
      try statement.bind(values.map { .integer($0) })
      while try statement.step() { body(statement) }
      return true
    } catch {
      return false
    }
  }
}
