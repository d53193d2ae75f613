/// Conditions on strings, which are compared by their UTF-8 bytes.
extension Term where Value: QueryValue, Value.Unwrapped == String {
  /// A condition that is true if the string is not nil and contains another string. Every string contains the empty
  /// string.
  public func contains(_ part: String) -> Query<Root> { match(.contains, part) }

  /// A condition that is true if the string is not nil and begins with another string. The condition can use an index
  /// on the attribute.
  public func hasPrefix(_ prefix: String) -> Query<Root> { match(.begins, prefix) }

  /// A condition that is true if the string is not nil and ends with another string.
  public func hasSuffix(_ suffix: String) -> Query<Root> { match(.ends, suffix) }

  /// The string, for comparisons that ignore case and diacritics, as in `$0.title.folded.contains("cafe")`.
  public var folded: FoldedText<Root> { FoldedText(text: scoped) }

  private func match(_ match: TextMatch, _ other: String) -> Query<Root> { Query(scoped.match(match, other)) }
}

extension ScopedExpression {
  func match(_ match: TextMatch, _ other: String) -> ScopedExpression {
    condition(.text(expression, match, .value(.text(other))))
  }
}
