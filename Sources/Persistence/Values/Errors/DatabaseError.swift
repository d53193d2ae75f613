/// An error that SQLite reported. The error contains the SQL statement but never the values bound to the statement.
///
/// <doc:WhenSomethingGoesWrong> explains how to respond to this error.
public struct DatabaseError: Error, Sendable, Hashable {
  /// SQLite's extended result code.
  public let code: Int32
  /// SQLite's message.
  public let message: String
  /// The SQL statement that failed, if there was one, with `?` in place of values.
  public let sql: String?

  init(code: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// SQLite's primary result code.
  public var primaryCode: Int32 { code & 0xFF }
}

extension DatabaseError: CustomStringConvertible {
  /// A description that contains SQLite's message, the result code and the statement.
  public var description: String {
    "\(message) (SQLite \(code))" + (sql.map { " in \($0)" } ?? "")
  }
}
