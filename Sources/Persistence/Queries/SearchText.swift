/// Words to search for in the searchable attributes of a class.
///
/// ```swift
/// let text = SearchText(typed)
/// let found = try objects.fetch(
///   Article.self, where: { $0.matches(text) && $0.year > 1990 })
/// ```
///
/// Case and diacritics are ignored, as in ``FoldedText``. <doc:SearchingText> describes how to create a search text
/// from typed text or from an expression.
public struct SearchText: Sendable, Hashable {
  /// The text in FTS5's syntax, folded.
  let match: String
  /// Whether the search text contains no words. If true, the search text matches no objects. For a search text created
  /// from an expression, this property is always false.
  public let isEmpty: Bool
  /// Whether the text cannot be an expression.
  let isInvalid: Bool

  /// Creates a search text from text that a person has typed. Any text is valid.
  ///
  /// An object matches if its searched attributes contain every word, in any order. Words in double quotation marks
  /// form a phrase: they must appear next to each other, in the same order. A word that contains characters other than
  /// letters and digits, such as `e-mail`, is also treated as a phrase. Only letters and digits are significant, so
  /// text that contains neither matches no objects. Anything after the first 64 words is ignored.
  ///
  /// - Parameters:
  ///   - typed: The text, such as the contents of a search field.
  ///   - completesLastWord: Whether the last word also matches the beginning of a longer word. If a closing quotation
  ///     mark follows the last word, this parameter has no effect.
  public init(_ typed: String, completesLastWord: Bool = true) {
    let phrases = SearchPhrases(typed)
    isEmpty = phrases.phrases.isEmpty
    match = phrases.match(completesLastWord: completesLastWord)
    isInvalid = false
  }

  /// Creates a search text from an expression in the [syntax of FTS5](https://sqlite.org/fts5.html). The syntax
  /// includes `AND`, `OR`, `NOT`, `NEAR`, `^`, `*`, and column filters such as `title : word`.
  ///
  /// A query with an invalid expression fails with ``PersistenceError/unsupportedQuery(_:)``, so do not pass text that
  /// a person has typed. Case and diacritics in words are ignored, but operators must be in uppercase. In a column
  /// filter, use the column's name in the store. The name must be ASCII.
  public init(expression: String) {
    isEmpty = false
    // FTS5 would read the text only up to a NUL.
    isInvalid = expression.utf8.contains(0)
    // A leading space keeps FTS5 from taking `*` for one of its own commands.
    match = " " + SearchPhrases.foldedExpression(expression)
  }
}
