/// Names and literals in SQL text. Values are never among them: they are bound.
enum SQL {
  /// The row's key, and the number of its last change, in every table of a class.
  static let id = "_id"
  static let version = "_version"

  /// The place of an object in an ordered relationship.
  static func order(of property: String) -> String { orderPrefix + property }
  static let orderPrefix = "_order_"

  /// What an attribute is compared and sorted by, where its own column has a form for people.
  static func sortKey(of column: String) -> String { sortKeyPrefix + column }
  static let sortKeyPrefix = "_sort_"

  /// A name in double quotes, where keywords, spaces and quotes lose their meaning.
  static func name(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
    return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// `?,?,?`
  static func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ",") }

  /// The ids as a JSON array, for `json_each(?)`: one shape of statement for any number of them.
  static func json(_ ids: some Sequence<Int64>) -> String {
    var text = "["
    for id in ids {
      if text.utf8.count > 1 { text += "," }
      text += String(id)
    }
    return text + "]"
  }
}
