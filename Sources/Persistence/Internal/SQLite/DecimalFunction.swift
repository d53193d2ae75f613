internal import CLarderSQLite

/// `larder_decimal(key)`: the digits of the decimal number that a sort key represents. Statements that write a sort key
/// use it to write the readable column. The schema in the file does not refer to it.
enum DecimalFunction {
  static let name = "larder_decimal"

  static func register(on database: OpaquePointer) throws(PersistenceError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(
      database, name, 1, flags, nil,
      { context, _, values in
        guard let context, let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else { return }
        var key = ""
        if let bytes = sqlite3_value_text(value) {
          let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
          key = String(decoding: text, as: UTF8.self)
        }
        _ = FunctionResult(context: context).put(SortableDecimal.readable(.text(key)))
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw PersistenceError(DatabaseError(database, fallback: code, sql: nil)) }
  }
}
