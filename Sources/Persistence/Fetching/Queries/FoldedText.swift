/// A text in a condition, compared without regard to case and diacritics: `cafe` equals `Café`, and `strasse` equals
/// `Straße`.
///
/// ```swift
/// let hits = try objects.fetch(Movie.self, where: { $0.title.folded.contains("cafe") })
/// ```
///
/// These conditions are false for nil, and cannot use an index.
public struct FoldedText<Root: ManagedObject>: Sendable {
  let text: Term<Root, String?>

  /// A condition that is true if the text contains another text.
  public func contains(_ part: String) -> Query<Root> { text.match(.foldedContains, part) }

  /// A condition that is true if the text begins with another text.
  public func hasPrefix(_ prefix: String) -> Query<Root> { text.match(.foldedBegins, prefix) }

  /// A condition that is true if the text ends with another text.
  public func hasSuffix(_ suffix: String) -> Query<Root> { text.match(.foldedEnds, suffix) }

  /// A condition that is true if the text matches a pattern.
  ///
  /// In the pattern, `%` matches any text and `_` matches one character. After a backslash, either of these characters
  /// matches itself.
  public func like(_ pattern: String) -> Query<Root> { text.match(.foldedLike, pattern) }

  // Disfavored, so that the compiler explains other comparisons with texts without mentioning folded ones.

  /// A condition that is true if the text equals another text.
  @_disfavoredOverload
  public static func == (text: FoldedText, other: String) -> Query<Root> { text.text.match(.foldedEquals, other) }

  /// A condition that is true if the text is nil or differs from another text.
  @_disfavoredOverload
  public static func != (text: FoldedText, other: String) -> Query<Root> { !(text == other) }
}
