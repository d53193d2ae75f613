/// An error that SQLite reported. It contains the statement but never the values bound to it.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct DatabaseError: Error, Sendable, Hashable {
  /// SQLite's extended result code.
  public let code: Int32
  /// SQLite's message.
  public let message: String
  /// The statement, with `?` in place of values.
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
  /// The message, code and statement.
  public var description: String {
    "\(message) (SQLite \(code))" + (sql.map { " in \($0)" } ?? "")
  }
}
