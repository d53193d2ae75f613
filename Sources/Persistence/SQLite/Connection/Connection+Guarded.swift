internal import CLarderSQLite

extension Connection {
  /// Runs a single statement supplied by the program. The statement can read and change rows, and nothing else: it
  /// cannot change tables, transactions or settings.
  func runGuarded(_ sql: String, _ values: [StoredValue]) throws(PersistenceError) -> [[StoredValue]] {
    sqlite3_set_authorizer(
      handle, { _, action, _, _, _, _ in Connection.isAllowed(action) ? SQLITE_OK : SQLITE_DENY }, nil)
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    let statement = try Statement(single: sql, on: handle)
    guard statement.parameters == values.count else {
      throw .database(
        DatabaseError(code: SQLITE_RANGE, message: "wrong number of values for the ? parameters", sql: sql))
    }
    try statement.bind(values)
    var rows: [[StoredValue]] = []
    while try statement.step() { rows.append((0..<statement.columns).map { statement.value($0) }) }
    return rows
  }

  private static func isAllowed(_ action: Int32) -> Bool {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_FUNCTION, SQLITE_RECURSIVE:
      true
    default: false
    }
  }
}

extension Statement {
  /// Prepares a single statement. Throws if more SQL follows: SQLite would not run it, and it must not appear to have
  /// run.
  convenience init(single sql: String, on database: OpaquePointer) throws(PersistenceError) {
    let isSingle = sql.withCString { start in
      var next: UnsafePointer<CChar>? = start
      var statements = 0
      // Nothing is prepared from spaces and comments, and no statement is what SQLite makes of them.
      while let text = next, text.pointee != 0 {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(database, text, -1, &prepared, &next)
        if prepared != nil { statements += 1 }
        sqlite3_finalize(prepared)
        if code != SQLITE_OK { return statements == 0 }
      }
      return statements <= 1
    }
    guard isSingle else {
      throw .database(DatabaseError(code: SQLITE_MISUSE, message: "the SQL contains more than one statement", sql: sql))
    }
    try self.init(sql, on: database, isOwn: false)
  }

  var parameters: Int { Int(sqlite3_bind_parameter_count(handle)) }

  var columns: Int32 { sqlite3_column_count(handle) }
}
