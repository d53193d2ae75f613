internal import CLarderSQLite

extension StoredValue {
  /// The SQL literal for the value. Nil if the value is not a constant that a column definition can contain:
  /// definitions cannot be bound.
  var literal: String? {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real) where real.isNaN: nil
    case .real(let real) where real.isInfinite: real > 0 ? "9e999" : "-9e999"
    // The shortest text that parses back to the same number, and always to a real one.
    case .real(let real): "\(real)"
    case .text(let text): text.utf8.contains(0) ? nil : SQL.string(text)
    case .blob(let data): "x'" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    case .unstorable: nil
    }
  }

  /// Whether SQLite reads the literal as this value. It rounds twice, and so takes one in several thousand numbers for
  /// its neighbor, such as 2259684.04574976. Asks SQLite, which takes about as long as opening a store in memory.
  var isLiteralExact: Bool {
    guard let literal else { return false }
    guard case .real = self else { return true }
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nil) == SQLITE_OK,
      let database, let statement = try? Statement("SELECT \(literal)", on: database), (try? statement.step()) == true
    else { return false }
    return statement.value(0) == self
  }
}
