internal import CLarderSQLite

/// `larder_sum(a, b, isFloat)`: the sum of two numbers in their stored form, including decimals. Rounded to a `Float`
/// if `isFloat` is 1. A sum without a stored form aborts the statement.
enum SumFunction {
  static let name = "larder_sum"

  static func register(on database: OpaquePointer) throws(PersistenceError) {
    try SQLFunction.register(name, arguments: 3, on: database) { context, _, values in
      guard let context, let values,
        let sum = SumFunction.value(values[0]).adding(SumFunction.value(values[1])),
        FunctionResult(context: context).put(sqlite3_value_int(values[2]) == 1 ? sum.asFloat : sum) == Statement.bound
      else { return sqlite3_result_error(context, InvalidValue.overflow, -1) }
    }
  }

  static func value(_ value: OpaquePointer?) -> StoredValue {
    switch sqlite3_value_type(value) {
    case SQLITE_FLOAT, SQLITE_INTEGER: .real(sqlite3_value_double(value))
    default: SQLFunction.text(value).map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
    }
  }
}

extension StoredValue {
  fileprivate var asFloat: StoredValue {
    if case .real(let real) = self { .real(Double(Float(real))) } else { self }
  }
}
