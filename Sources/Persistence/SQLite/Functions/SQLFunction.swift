internal import CLarderSQLite

/// A function of the library that SQLite calls. The same arguments always have the same result.
enum SQLFunction {
  typealias Values = UnsafeMutablePointer<OpaquePointer?>
  /// A C function, which carries no state.
  typealias Body = @convention(c) (OpaquePointer?, Int32, Values?) -> Void
  typealias End = @convention(c) (OpaquePointer?) -> Void

  /// Registers a function, or an aggregate of one argument if there is an `end`.
  ///
  /// - Parameter isDirect: Whether the schema in the file cannot refer to it.
  static func register(
    _ name: String, arguments: Int32, on database: OpaquePointer, isDirect: Bool = true, end: End? = nil,
    _ body: Body
  ) throws(PersistenceError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | (isDirect ? SQLITE_DIRECTONLY : 0)
    let code = sqlite3_create_function_v2(
      database, name, arguments, flags, nil, end == nil ? body : nil, end == nil ? nil : body, end, nil)
    guard code == SQLITE_OK else { throw PersistenceError(DatabaseError(database, fallback: code, sql: nil)) }
  }

  /// Returns an argument that is text. SQLite keeps it alive and in place until the function returns.
  static func text(_ values: Values?, _ index: Int) -> UnsafeBufferPointer<UInt8>? {
    values.flatMap { text($0[index]) }
  }

  static func text(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
    // Without memory for a conversion there is no text.
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else { return nil }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }
}
