extension JSONPath: ExpressibleByStringLiteral {
  /// The compiler's own view of a literal, whose address tells one literal from another.
  public typealias StringLiteralType = StaticString

  /// Takes a literal; one that is not a path throws its ``JSONPathError`` on first use.
  ///
  /// The text is parsed the first time; after that this costs a look-up by address.
  public init(stringLiteral literal: StaticString) {
    compiled = LiteralCache.shared.path(for: literal)
  }
}
