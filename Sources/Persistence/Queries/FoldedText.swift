/// A string that a condition compares without regard to case or diacritics: `cafe` equals `Café`, and `strasse` equals
/// `Straße`.
///
/// ```swift
/// let hits = try objects.fetch(Movie.self, where: { $0.title.folded.contains("cafe") })
/// ```
///
/// If the string is nil, every condition on its folded text is false, except for `!=`. If the attribute is declared
/// with ``AttributeOption/folded``, conditions with `==`, `!=` and `hasPrefix` can use an index. You can also sort by
/// the folded text, as in `.ascending { $0.title.folded }`.
public struct FoldedText<Root: ManagedObject>: Sendable {
  let text: ScopedExpression

  /// A term for the folded text, which you can select or group by. The value is nil if the string is nil.
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
  /// string. To match a literal `%` or `_`, write a backslash before it.
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
