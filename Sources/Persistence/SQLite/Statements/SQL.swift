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

  static let fieldPrefix = "_field_"

  /// Puts a name in double quotes, where keywords, spaces and quotes lose their meaning.
  static func name(_ name: String) -> String { quoted(name, in: "\"") }

  /// Puts a name in backticks. In double quotes, SQLite would take a name that does not exist for a string.
  static func identifier(_ name: String) -> String { quoted(name, in: "`") }

  /// A string literal. SQLite ends a text at a NUL, so the text must not contain any.
  static func string(_ text: String) -> String { quoted(text, in: "'") }

  /// Doubles each quote in a text and puts the result in quotes.
  ///
  /// This searches for scalars, because a quote with a combining mark is one `Character`, which is not equal to a
  /// quote.
  private static func quoted(_ text: String, in quote: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    result.append(quote)
    for scalar in text.unicodeScalars {
      if scalar == quote { result.append(quote) }
      result.append(scalar)
    }
    result.append(quote)
    return String(result)
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
    parts(of: sql).enumerated().map { index, part in
      index.isMultiple(of: 2) || !unquoted(part).hasSameBytes(as: column) ? part : name(new)
    }.joined()
  }

  /// The text before the first name in double quotes, that name with its quotes, the text after it, and so on.
  private static func parts(of sql: String) -> [String] {
    var parts = [String.UnicodeScalarView()]
    var quote: Unicode.Scalar?
    // A quote within a quoted part is doubled, which ends the part and begins the next one.
    for scalar in sql.unicodeScalars {
      let isName = quote == "\""
      if quote == nil, scalar == "\"" || scalar == "'" {
        quote = scalar
        // Two names in a row are one with a quote in it.
        if scalar == "\"", parts.count > 1, parts[parts.count - 1].isEmpty {
          parts.removeLast()
        } else if scalar == "\"" {
          parts.append(String.UnicodeScalarView())
        }
      } else if scalar == quote {
        quote = nil
      }
      parts[parts.count - 1].append(scalar)
      if isName, quote == nil { parts.append(String.UnicodeScalarView()) }
    }
    return parts.map(String.init)
  }

  /// A name in double quotes without them.
  private static func unquoted(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    var isSecond = false
    for scalar in name.unicodeScalars.dropFirst().dropLast() {
      isSecond = scalar == "\"" && !isSecond
      if !isSecond { result.append(scalar) }
    }
    return String(result)
  }
}

extension String {
  /// Whether both have the same UTF-8 bytes, as SQLite compares them. `==` also accepts canonically equivalent texts.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
