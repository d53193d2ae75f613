/// A text to search for in the searchable attributes of a class.
///
/// ```swift
/// let text = SearchText(typed)
/// let found = try objects.fetch(
///   Article.self, where: { $0.matches(text) && $0.year > 1990 })
/// ```
///
/// Case and diacritics make no difference, as in ``FoldedText``. <doc:SearchingText> describes both forms of a text.
public struct SearchText: Sendable, Hashable {
  /// The text in FTS5's syntax, folded.
  let match: String
  /// Whether the text contains no word, so that it matches nothing.
  public let isEmpty: Bool
  /// Whether the text cannot be an expression.
  let isInvalid: Bool

  /// Creates a search for what people type. Any text is valid.
  ///
  /// Every word must occur, in any of the searched attributes and in any order. Words in double quotes must occur next
  /// to each other, in this order. A word with other characters inside, such as `e-mail`, also counts as a phrase. Only
  /// letters and digits count. A text without letters and digits matches nothing. After 64 words, the rest is ignored.
  ///
  /// - Parameters:
  ///   - typed: The text, such as the contents of a search field.
  ///   - completesLastWord: Whether the last word also matches the beginning of a longer word, unless a quote after it
  ///     closes a phrase.
  public init(_ typed: String, completesLastWord: Bool = true) {
    let phrases = SearchPhrases(typed)
    isEmpty = phrases.phrases.isEmpty
    match = phrases.match(completesLastWord: completesLastWord)
    isInvalid = false
  }

  /// Creates a search with an expression in the [syntax of FTS5](https://sqlite.org/fts5.html), with `AND`, `OR`,
  /// `NOT`, `NEAR`, `^`, `*`, and columns as in `title : word`.
  ///
  /// A query with an invalid expression throws ``PersistenceError/unsupportedQuery(_:)``. Do not pass what people type.
  /// Words are folded. Operators must be in upper case, and columns have the names that they have in the store, which
  /// must be ASCII.
  public init(expression: String) {
    isEmpty = false
    // FTS5 would read the text only up to a NUL.
    isInvalid = expression.utf8.contains(0)
    // A leading space keeps FTS5 from taking `*` for one of its own commands.
    match = " " + SearchPhrases.foldedExpression(expression)
  }
}
