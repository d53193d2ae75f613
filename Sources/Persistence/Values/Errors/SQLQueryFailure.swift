/// The reason that a ``SQLQuery`` was rejected or failed. The failure contains the SQL statement but never the values
/// bound to the statement.
///
/// <doc:WhenSomethingGoesWrong> explains each reason and how to respond to it.
public struct SQLQueryFailure: Sendable, Hashable {
  /// The reason that the query was rejected or failed.
  public enum Reason: Sendable, Hashable {
    /// The statement is not valid SQL, or it names something that does not exist.
    case invalidSQL
    /// The statement is not a query that only reads tables.
    case notReadOnly
    /// The text contains no statement, or more than one.
    case notOneStatement
    /// A value has no stored form, or the number of `?` placeholders in the text differs from the number of values.
    case invalidArgument
    /// The result lacks a column that the row type requires, or the number of columns differs from the number of
    /// elements in the tuple type.
    case missingColumn
    /// A column contains null or another value that the row type does not accept.
    case invalidValue
    /// The row type cannot be decoded from columns, for example because it contains nested values.
    case unsupportedType
    /// The calling task was cancelled while the statement was running.
    case cancelled
    /// SQLite could not evaluate the statement.
    case failed
  }

  /// The reason that the query was rejected or failed.
  public let reason: Reason
  /// SQLite's message, or this library's description of the problem. The message does not contain any values.
  public let message: String
  /// The statement, with `?` in place of values.
  public let sql: String
  /// The offset in the statement, in UTF-8 bytes, at which SQLite found the error, if known.
  public let offset: Int?
  /// The name of the column that could not be read, if known.
  public let column: String?
  /// The zero-based index of the row that could not be read, if known.
  public let row: Int?

  init(
    _ reason: Reason, _ message: String, sql: String, offset: Int? = nil, column: String? = nil, row: Int? = nil
  ) {
    self.reason = reason
    self.message = message
    self.sql = sql
    self.offset = offset
    self.column = column
    self.row = row
  }
}

extension SQLQueryFailure: CustomStringConvertible {
  /// A description of the problem, its location and the statement.
  public var description: String {
    let places = [row.map { "row \($0)" }, column.map { "column \($0)" }, offset.map { "byte \($0)" }]
    let place = places.compactMap { $0 }.joined(separator: ", ")
    return "the SQL query failed: \(message)" + (place.isEmpty ? "" : " (\(place))") + " in \(sql)"
  }
}
