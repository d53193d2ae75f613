internal import CSQLite

/// `larder_sum(a, b)`: the sum of two numbers as attributes keep them, decimals among them. A sum without a stored form ends the
/// statement.
enum SumFunction {
  static let name = "larder_sum"

  static func register(on database: OpaquePointer) throws(PersistenceError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(
      database, name, 2, flags, nil,
      { context, _, values in
        guard let context, let values,
          let sum = SumFunction.value(values[0]).adding(SumFunction.value(values[1])),
          FunctionResult(context: context).put(sum) == Statement.bound
        else { return sqlite3_result_error(context, InvalidValue.overflow, -1) }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw PersistenceError(DatabaseError(database, fallback: code, sql: nil)) }
  }

  private static func value(_ value: OpaquePointer?) -> StoredValue {
    switch sqlite3_value_type(value) {
    case SQLITE_FLOAT, SQLITE_INTEGER: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      guard let bytes = sqlite3_value_text(value) else { return .null }
      let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
      return .text(String(decoding: text, as: UTF8.self))
    default: return .null
    }
  }
}
