internal import CLarderSQLite

/// The SQL functions for text, registered on every connection. SQLite's own do not handle characters beyond ASCII or
/// text after a NUL.
enum TextFunction {
  static let length = "larder_length"
  /// `larder_fold(text)`: the folded text.
  static let fold = "larder_fold"
  /// `larder_fold_end(prefix)`: the first value after all folded texts that begin with the folded prefix.
  static let foldEnd = "larder_fold_end"

  static func name(of match: TextMatch) -> String {
    switch match {
    case .contains: "larder_contains"
    case .begins: "larder_begins"
    case .ends: "larder_ends"
    case .foldedContains: "larder_folded_contains"
    case .foldedBegins: "larder_folded_begins"
    case .foldedEnds: "larder_folded_ends"
    case .foldedEquals: "larder_folded_equals"
    case .foldedLike: "larder_folded_like"
    }
  }

  static func register(on database: OpaquePointer) throws(PersistenceError) {
    try register(length, 1, on: database) { context, _, values in
      guard let text = TextFunction.text(values, 0) else { return sqlite3_result_null(context) }
      sqlite3_result_int64(context, sqlite3_int64(String(decoding: text, as: UTF8.self).count))
    }
    try register(fold, 1, on: database) { context, _, values in
      guard let context, let text = TextFunction.text(values, 0) else { return sqlite3_result_null(context) }
      let folded = String(decoding: TextFolding.fold(text), as: UTF8.self)
      _ = FunctionResult(context: context).put(StoredValue.text(folded))
    }
    try register(foldEnd, 1, on: database) { context, _, values in
      guard let context, let text = TextFunction.text(values, 0) else { return sqlite3_result_null(context) }
      let folded = String(decoding: TextFolding.fold(text), as: UTF8.self)
      _ = FunctionResult(context: context).put(StoredValue.bound(afterPrefix: folded))
    }
    try register(SearchTable.function, 1, on: database) { context, _, values in
      guard let context, let text = TextFunction.text(values, 0) else { return sqlite3_result_null(context) }
      _ = FunctionResult(context: context).put(StoredValue.text(TextFolding.searchable(text)))
    }
    // A C function pointer carries no state, so each match needs its own closure.
    try register(.contains, on: database) { TextFunction.result($0, .contains, $2) }
    try register(.begins, on: database) { TextFunction.result($0, .begins, $2) }
    try register(.ends, on: database) { TextFunction.result($0, .ends, $2) }
    try register(.foldedContains, on: database) { TextFunction.result($0, .foldedContains, $2) }
    try register(.foldedBegins, on: database) { TextFunction.result($0, .foldedBegins, $2) }
    try register(.foldedEnds, on: database) { TextFunction.result($0, .foldedEnds, $2) }
    try register(.foldedEquals, on: database) { TextFunction.result($0, .foldedEquals, $2) }
    try register(.foldedLike, on: database) { TextFunction.result($0, .foldedLike, $2) }
  }

  typealias Values = UnsafeMutablePointer<OpaquePointer?>
  private typealias Function = @convention(c) (OpaquePointer?, Int32, Values?) -> Void

  private static func register(
    _ match: TextMatch, on database: OpaquePointer, _ function: Function
  ) throws(PersistenceError) {
    try register(name(of: match), 2, on: database, function)
  }

  private static func register(
    _ name: String, _ arguments: Int32, on database: OpaquePointer, _ function: Function
  ) throws(PersistenceError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    let code = sqlite3_create_function_v2(database, name, arguments, flags, nil, function, nil, nil, nil)
    guard code == SQLITE_OK else { throw PersistenceError(DatabaseError(database, fallback: code, sql: nil)) }
  }

  private static func result(_ context: OpaquePointer?, _ match: TextMatch, _ values: Values?) {
    guard let left = text(values, 0), let right = text(values, 1) else { return sqlite3_result_null(context) }
    sqlite3_result_int(context, match.matches(left, right) ? 1 : 0)
  }

  /// Returns an argument that is text. SQLite keeps it alive and in place until the function returns.
  static func text(_ values: Values?, _ index: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let value = values?[index], sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
    return UnsafeBufferPointer(start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
  }
}
