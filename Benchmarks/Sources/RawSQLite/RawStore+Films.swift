import GRDBSQLite

extension RawStore {
  /// The two texts of each row.
  public func pairs(_ sql: String) throws -> [(String, String)] {
    try rows(sql) { (text($0, 0), text($0, 1)) }
  }

  /// The id, the name and the count of each row.
  public func counts(_ sql: String) throws -> [(Int64, String, Int64)] {
    try rows(sql) { (sqlite3_column_int64($0, 0), text($0, 1), sqlite3_column_int64($0, 2)) }
  }

  private func rows<Row>(_ sql: String, _ row: (OpaquePointer?) -> Row) throws -> [Row] {
    let statement = try prepared(sql)
    defer { sqlite3_reset(statement) }
    var rows: [Row] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try check(code)
        return rows
      }
      rows.append(row(statement))
    }
  }
}
