/// A string in a condition whose case and diacritics are ignored: `cafe` equals `Café`, and `strasse` equals `Straße`.
///
/// ```swift
/// let hits = try objects.fetch(Movie.self, where: { $0.title.folded.contains("cafe") })
/// ```
///
/// These conditions are false for nil, except for `!=`. With ``AttributeOption/folded``, `==`, `!=` and `hasPrefix` can
/// use an index. The folded text can also be sorted by, as in `.ascending { $0.title.folded }`.
public struct FoldedText<Root: ManagedObject>: Sendable {
  let text: ScopedExpression

  /// The folded text as a value to select or group by, which is nil for nil.
  public var value: Term<Root, String?> { Term<Root, String?>(text.condition(.folded(text.expression))) }

  /// A condition that is true if the string contains another string.
  public func contains(_ part: String) -> Query<Root> { Query(text.match(.foldedContains, part)) }

  /// A condition that is true if the string begins with another string.
  public func hasPrefix(_ prefix: String) -> Query<Root> { Query(text.match(.foldedBegins, prefix)) }

  /// A condition that is true if the string ends with another string.
  public func hasSuffix(_ suffix: String) -> Query<Root> { Query(text.match(.foldedEnds, suffix)) }

  /// A condition that is true if the string matches a pattern.
  ///
  /// In the pattern, `%` matches any sequence of characters, and `_` matches a single Unicode scalar of the folded
  /// string. After a backslash, either of these characters matches itself.
  public func like(_ pattern: String) -> Query<Root> { Query(text.match(.foldedLike, pattern)) }

  // Disfavored, so that the compiler explains other comparisons with strings without mentioning folded ones.

  /// A condition that is true if the string equals another string.
  @_disfavoredOverload
  public static func == (text: FoldedText, other: String) -> Query<Root> {
    Query(text.text.match(.foldedEquals, other))
  }

  /// A condition that is true if the string is nil or differs from another string.
  @_disfavoredOverload
  public static func != (text: FoldedText, other: String) -> Query<Root> { !(text == other) }
}
