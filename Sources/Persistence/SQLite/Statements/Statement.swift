internal import CLarderSQLite
internal import Foundation

/// A prepared statement. It belongs to one connection, and one thread at a time uses it.
final class Statement {
  @usableFromInline let handle: OpaquePointer
  let sql: String
  /// The value of the cache's lookup counter when the statement was last returned.
  @exclusivity(unchecked) var lastUse: UInt64 = 0
  /// Whether a caller is still stepping it.
  @exclusivity(unchecked) var isBusy = false

  /// - Parameter isOwn: Whether the text comes from this library, which names only what the store had when it was
  ///   opened.
  init(_ sql: String, on database: OpaquePointer, isOwn: Bool = true) throws(PersistenceError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      let error = DatabaseError(database, fallback: code, sql: sql)
      throw isOwn ? Statement.failure(error, on: database) : PersistenceError(error)
    }
    handle = prepared
    self.sql = sql
  }

  /// Takes over a statement that is prepared already.
  init(prepared handle: OpaquePointer, sql: String) {
    self.handle = handle
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  /// Steps to the next row. Returns false at the end, where it resets the statement.
  @inline(__always) func step() throws(PersistenceError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    sqlite3_reset(handle)
    if code != SQLITE_DONE { throw failure(code) }
    return false
  }

  /// Runs a statement whose rows are of no interest.
  @inline(__always) func run() throws(PersistenceError) {
    let code = sqlite3_step(handle)
    // The reset ends the statement, and in autocommit mode commits it, so its code counts too.
    let ended = sqlite3_reset(handle)
    if code != SQLITE_DONE && code != SQLITE_ROW { throw failure(code) }
    if ended != SQLITE_OK { throw failure(ended) }
  }

  /// Returns the code of the first step or of the reset after it, instead of throwing.
  func runForCode() -> Int32 {
    let code = sqlite3_step(handle)
    let ended = sqlite3_reset(handle)
    return code != SQLITE_DONE && code != SQLITE_ROW ? code : ended
  }

  @inline(__always) func reset() { sqlite3_reset(handle) }

  /// Returns the first column of the first row, or nil without a row. Runs the statement to its end.
  func integer() throws(PersistenceError) -> Int64? {
    var result: Int64?
    while try step() { if result == nil { result = sqlite3_column_int64(handle, 0) } }
    return result
  }

  /// The number of rows that the last run changed.
  @inline(__always) var changes: Int { Int(sqlite3_changes(sqlite3_db_handle(handle))) }

  @inline(never) func failure(_ code: Int32) -> PersistenceError {
    let error = DatabaseError(sqlite3_db_handle(handle), fallback: code, sql: sql)
    if let refusal = error.searchTextRefusal { return .unsupportedQuery(refusal) }
    return Statement.failure(error, on: sqlite3_db_handle(handle))
  }

  private static func failure(_ error: DatabaseError, on database: OpaquePointer?) -> PersistenceError {
    guard error.isOfMissingTable else { return PersistenceError(error) }
    let path = sqlite3_db_filename(database, "main").map { String(cString: $0) } ?? ""
    return StoreFile.failure(.migratedElsewhere, StorePlace(.file(URL(filePath: path))), error)
  }
}
