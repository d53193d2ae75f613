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

  /// The column for an attribute's folded text.
  static func folded(of column: String) -> String { foldedPrefix + column }
  static let foldedPrefix = "_folded_"

  /// The column for a field of an attribute's JSON.
  static func field(_ path: FieldPath, of column: String) -> String { "\(fieldPrefix)\(column)/\(path.pointer)" }
  static let fieldPrefix = "_field_"

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

  /// The names in double quotes in a piece of SQL that contains no comments.
  static func names(in sql: String) -> [String] {
    parts(of: sql).enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { unquoted($0.element) }
  }

  /// The same SQL with another name for a column.
  static func renaming(_ column: String, to new: String, in sql: String) -> String {
    parts(of: sql).enumerated().map { $0.isMultiple(of: 2) || unquoted($1) != column ? $1 : name(new) }.joined()
  }

  /// The text before the first name in double quotes, that name with its quotes, the text after it, and so on.
  private static func parts(of sql: String) -> [String] {
    var parts = [""]
    var quote: Character?
    // A quote within a quoted part is doubled, which ends the part and begins the next one.
    for character in sql {
      let isName = quote == "\""
      if quote == nil, character == "\"" || character == "'" {
        quote = character
        // Two names in a row are one with a quote in it.
        if character == "\"", parts.count > 1, parts.last == "" {
          parts.removeLast()
        } else if character == "\"" {
          parts.append("")
        }
      } else if character == quote {
        quote = nil
      }
      parts[parts.count - 1].append(character)
      if isName, quote == nil { parts.append("") }
    }
    return parts
  }

  private static func unquoted(_ name: String) -> String {
    name.dropFirst().dropLast().split(separator: "\"\"", omittingEmptySubsequences: false).joined(separator: "\"")
  }
}
