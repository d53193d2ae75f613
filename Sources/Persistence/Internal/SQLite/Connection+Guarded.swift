internal import CSQLite

extension Connection {
  /// Runs one statement of a program's own. It may read and change rows and do nothing else: tables, transactions and
  /// settings are not its to change.
  func runGuarded(_ sql: String, _ values: [StoredValue]) throws(PersistenceError) -> [[StoredValue]] {
    sqlite3_set_authorizer(
      handle, { _, action, _, _, _, _ in Connection.isAllowed(action) ? SQLITE_OK : SQLITE_DENY }, nil)
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    let statement = try Statement(single: sql, on: handle)
    guard statement.parameters == values.count else {
      throw .database(DatabaseError(code: SQLITE_RANGE, message: "not as many values as ?s", sql: sql))
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
  /// A statement with nothing behind it: what SQLite would not run must not seem to have run.
  convenience init(single sql: String, on database: OpaquePointer) throws(PersistenceError) {
    var rest = 0
    sql.withCString { start in
      var prepared: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      if sqlite3_prepare_v2(database, start, -1, &prepared, &tail) == SQLITE_OK, let tail {
        var position = tail
        while position.pointee == 32 || position.pointee == 10 || position.pointee == 9 || position.pointee == 59 {
          position += 1
        }
        rest = position.pointee == 0 ? 0 : 1
      }
      sqlite3_finalize(prepared)
    }
    guard rest == 0 else {
      throw .database(DatabaseError(code: SQLITE_MISUSE, message: "more than one statement", sql: sql))
    }
    try self.init(sql, on: database)
  }

  var parameters: Int { Int(sqlite3_bind_parameter_count(handle)) }

  var columns: Int32 { sqlite3_column_count(handle) }
}
