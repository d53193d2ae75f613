import CLarderSQLite
import Foundation

/// Another program that writes to a store: SQLite without anything of the library, and perhaps without FTS5.
final class PlainSQLite {
  private let handle: OpaquePointer

  struct Failed: Error {
    let message: String
  }

  init(_ file: URL, hasFullTextSearch: Bool = true) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(file.path, &opened, SQLITE_OPEN_READWRITE, nil)
    guard code == SQLITE_OK, let opened else { throw Failed(message: "the file does not open: \(code)") }
    handle = opened
    if !hasFullTextSearch { sqlite3_drop_modules(handle, nil) }
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failed(message: String(cString: sqlite3_errmsg(handle)))
    }
  }
}
