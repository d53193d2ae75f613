internal import CLarderSQLite

/// `larder_decimal(key)`: the digits of the decimal number that a sort key represents. Statements that write a sort key
/// use it to write the readable column. The schema in the file does not refer to it.
enum DecimalFunction {
  static let name = "larder_decimal"

  static func register(on database: OpaquePointer) throws(PersistenceError) {
    try SQLFunction.register(name, arguments: 1, on: database) { context, _, values in
      // Null for NULL. Another program may have put a number in place of a key.
      guard let context, let value = values?[0], let key = sqlite3_value_text(value) else { return }
      _ = FunctionResult(context: context).put(SortableDecimal.readable(.text(String(cString: key))))
    }
  }
}
