internal import CLarderSQLite

/// The SQL functions for text, registered on every connection. SQLite's own do not handle characters beyond ASCII or
/// text after a NUL.
enum TextFunction {
  static let length = "larder_length"
  /// `larder_fold(text)`: the folded text.
  static let fold = "larder_fold"
  /// `larder_fold_end(prefix)`: the first value after all folded texts that begin with the folded prefix.
  static let foldEnd = "larder_fold_end"

  /// The SQL function that returns the form of a text in the index, or NULL for anything but text. The schema in the
  /// file does not refer to it.
  static let searchable = "larder_searchable"

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
      guard let text = SQLFunction.text(values, 0) else { return sqlite3_result_null(context) }
      sqlite3_result_int64(context, sqlite3_int64(String(decoding: text, as: UTF8.self).count))
    }
    try register(fold, 1, on: database) { context, _, values in
      TextFunction.put(context, values) { .text(String(decoding: TextFolding.fold($0), as: UTF8.self)) }
    }
    try register(foldEnd, 1, on: database) { context, _, values in
      TextFunction.put(context, values) { .bound(afterPrefix: String(decoding: TextFolding.fold($0), as: UTF8.self)) }
    }
    try register(searchable, 1, on: database) { context, _, values in
      TextFunction.put(context, values) { .text(TextFolding.searchable($0)) }
    }
    // A C function pointer carries no state, so each match needs its own closure.
    try register(.contains, on: database) { TextFunction.put($0, .contains, $2) }
    try register(.begins, on: database) { TextFunction.put($0, .begins, $2) }
    try register(.ends, on: database) { TextFunction.put($0, .ends, $2) }
    try register(.foldedContains, on: database) { TextFunction.put($0, .foldedContains, $2) }
    try register(.foldedBegins, on: database) { TextFunction.put($0, .foldedBegins, $2) }
    try register(.foldedEnds, on: database) { TextFunction.put($0, .foldedEnds, $2) }
    try register(.foldedEquals, on: database) { TextFunction.put($0, .foldedEquals, $2) }
    try register(.foldedLike, on: database) { TextFunction.put($0, .foldedLike, $2) }
  }

  private static func register(
    _ match: TextMatch, on database: OpaquePointer, _ function: SQLFunction.Body
  ) throws(PersistenceError) {
    try register(name(of: match), 2, on: database, function)
  }

  private static func register(
    _ name: String, _ arguments: Int32, on database: OpaquePointer, _ function: SQLFunction.Body
  ) throws(PersistenceError) {
    try SQLFunction.register(name, arguments: arguments, on: database, isDirect: false, function)
  }

  private static func put(
    _ context: OpaquePointer?, _ values: SQLFunction.Values?, _ result: (UnsafeBufferPointer<UInt8>) -> StoredValue
  ) {
    guard let context, let text = SQLFunction.text(values, 0) else { return sqlite3_result_null(context) }
    _ = FunctionResult(context: context).put(result(text))
  }

  private static func put(_ context: OpaquePointer?, _ match: TextMatch, _ values: SQLFunction.Values?) {
    guard let left = SQLFunction.text(values, 0), let right = SQLFunction.text(values, 1) else {
      return sqlite3_result_null(context)
    }
    sqlite3_result_int(context, match.matches(left, right) ? 1 : 0)
  }
}
