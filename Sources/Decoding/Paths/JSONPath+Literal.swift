extension JSONPath: ExpressibleByStringLiteral {
  /// The compiler's representation of a literal, whose address identifies it.
  public typealias StringLiteralType = StaticString

  /// Creates a path from a literal; an invalid literal throws its ``JSONPathError`` on first use.
  ///
  /// A literal is parsed the first time it is used. After that, creating the path costs only a lookup by address.
  public init(stringLiteral literal: StaticString) {
    compiled = LiteralCache.shared.path(for: literal)
  }
}
