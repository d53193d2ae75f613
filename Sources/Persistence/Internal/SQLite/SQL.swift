/// Names and literals in SQL text. Values never appear in the text: they are bound.
enum SQL {
  /// The row's key in every table of a class.
  static let id = "_id"
  /// The number of the row's last change, in every table of a class.
  static let version = "_version"

  /// The column for an object's position in an ordered relationship.
  static func order(of property: String) -> String { orderPrefix + property }
  static let orderPrefix = "_order_"

  /// The column that an attribute is compared and sorted by if its own column holds a readable form.
  static func sortKey(of column: String) -> String { sortKeyPrefix + column }
  static let sortKeyPrefix = "_sort_"

  /// Puts a name in double quotes, where keywords, spaces and quotes lose their meaning.
  static func name(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
    return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Puts a name in backticks. In double quotes, SQLite would take a name that does not exist for a string.
  static func identifier(_ name: String) -> String {
    "`" + name.split(separator: "`", omittingEmptySubsequences: false).joined(separator: "``") + "`"
  }

  /// `?,?,?`
  static func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ",") }

  /// Returns the ids as a JSON array for `json_each(?)`, so that one statement text serves any number of ids.
  static func json(_ ids: some Sequence<Int64>) -> String {
    var text = "["
    for id in ids {
      if text.utf8.count > 1 { text += "," }
      text += String(id)
    }
    return text + "]"
  }
}
