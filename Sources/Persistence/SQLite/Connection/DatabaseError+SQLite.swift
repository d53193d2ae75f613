internal import CLarderSQLite

extension DatabaseError {
  /// The state of `database` after a call that returned `fallback`.
  init(_ database: OpaquePointer?, fallback: Int32, sql: String?) {
    var code = fallback
    let message: String
    if let database {
      let extended = sqlite3_extended_errcode(database)
      if extended & 0xFF == fallback & 0xFF { code = extended }
      message = code == SQLITE_MISMATCH ? "a value cannot be stored" : String(cString: sqlite3_errmsg(database))
    } else {
      message = String(cString: sqlite3_errstr(fallback))
    }
    self.init(code: code, message: message, sql: sql)
  }
}
