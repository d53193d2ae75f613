/// The reason that a ``SQLQuery`` was rejected or failed. It contains the statement but never the values bound to it.
///
/// <doc:WhenSomethingGoesWrong> explains each reason and how to respond to it.
public struct SQLQueryFailure: Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The statement is not valid SQL, or it names something that does not exist.
    case invalidSQL
    /// The statement would do something other than read tables.
    case notReadOnly
    /// The text contains no statement, or more than one.
    case notOneStatement
    /// A value has no stored form, or the number of `?` placeholders in the text differs from the number of values.
    case invalidArgument
    /// The result lacks a column that the row type requires, or the number of columns differs from the tuple's number
    /// of elements.
    case missingColumn
    /// A column contains a value, or null, that the row type does not accept.
    case invalidValue
    /// The row type cannot be decoded from columns, for example because it contains nested values.
    case unsupportedType
    /// The calling task was cancelled while the statement was running.
    case cancelled
    /// SQLite could not evaluate the statement.
    case failed
  }

  /// What is wrong.
  public let reason: Reason
  /// SQLite's message, or a description of the problem. The message does not contain any values.
  public let message: String
  /// The statement, with `?` in place of values.
  public let sql: String
  /// The UTF-8 offset in the statement at which SQLite found the error, if known.
  public let offset: Int?
  /// The column that could not be read.
  public let column: String?
  /// The zero-based index of the row that could not be read.
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
  /// The problem, its location and the statement.
  public var description: String {
    let places = [row.map { "row \($0)" }, column.map { "column \($0)" }, offset.map { "byte \($0)" }]
    let place = places.compactMap { $0 }.joined(separator: ", ")
    return "the SQL query failed: \(message)" + (place.isEmpty ? "" : " (\(place))") + " in \(sql)"
  }
}
