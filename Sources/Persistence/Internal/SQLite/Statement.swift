internal import CSQLite
internal import Foundation

/// A prepared statement. It belongs to one connection and is used by one thread at a time.
final class Statement {
  @usableFromInline let handle: OpaquePointer
  let sql: String
  /// When it was last taken from the cache, in takes; and whether somebody is still stepping it.
  @exclusivity(unchecked) var lastUse: UInt64 = 0
  @exclusivity(unchecked) var isBusy = false

  init(_ sql: String, on database: OpaquePointer) throws(PersistenceError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw PersistenceError(DatabaseError(database, fallback: code, sql: sql))
    }
    handle = prepared
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  /// The next row; false at the end, where the statement is reset.
  @inline(__always) func step() throws(PersistenceError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    sqlite3_reset(handle)
    if code != SQLITE_DONE { throw failure(code) }
    return false
  }

  /// Runs a statement that has no rows of interest.
  @inline(__always) func run() throws(PersistenceError) {
    let code = sqlite3_step(handle)
    // A reset is what ends the statement, and in autocommit what commits it: its code counts too.
    let ended = sqlite3_reset(handle)
    if code != SQLITE_DONE && code != SQLITE_ROW { throw failure(code) }
    if ended != SQLITE_OK { throw failure(ended) }
  }

  /// The code of the first step and of the reset after it, without making an error of it.
  func runForCode() -> Int32 {
    let code = sqlite3_step(handle)
    let ended = sqlite3_reset(handle)
    return code != SQLITE_DONE && code != SQLITE_ROW ? code : ended
  }

  @inline(__always) func reset() { sqlite3_reset(handle) }

  /// The first column of the only row, or nil without a row. The statement runs to its end.
  func integer() throws(PersistenceError) -> Int64? {
    var result: Int64?
    while try step() { if result == nil { result = sqlite3_column_int64(handle, 0) } }
    return result
  }

  /// How many rows the last run changed.
  @inline(__always) var changes: Int { Int(sqlite3_changes(sqlite3_db_handle(handle))) }

  @inline(never) func failure(_ code: Int32) -> PersistenceError {
    PersistenceError(DatabaseError(sqlite3_db_handle(handle), fallback: code, sql: sql))
  }
}
