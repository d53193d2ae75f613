internal import CLarderSQLite

/// `larder_sum(a, b, isFloat)`: the sum of two numbers in their stored form, including decimals. Rounded to a `Float`
/// if `isFloat` is 1. A sum without a stored form aborts the statement.
enum SumFunction {
  static let name = "larder_sum"

  static func register(on database: OpaquePointer) throws(PersistenceError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(
      database, name, 3, flags, nil,
      { context, _, values in
        guard let context, let values,
          let sum = SumFunction.value(values[0]).adding(SumFunction.value(values[1])),
          FunctionResult(context: context).put(sqlite3_value_int(values[2]) == 1 ? sum.asFloat : sum) == Statement.bound
        else { return sqlite3_result_error(context, InvalidValue.overflow, -1) }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw PersistenceError(DatabaseError(database, fallback: code, sql: nil)) }
  }

  static func value(_ value: OpaquePointer?) -> StoredValue {
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

extension StoredValue {
  fileprivate var asFloat: StoredValue {
    if case .real(let real) = self { .real(Double(Float(real))) } else { self }
  }
}
