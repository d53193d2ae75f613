extension JSONPath: CustomStringConvertible, CustomDebugStringConvertible {
  /// The canonical form of the path. For a singular path, this is the normalized path as defined in RFC 9535.
  ///
  /// The description of `"a.b[0]"` is `$['a']['b'][0]`. The description of an invalid literal is the literal's text.
  public var description: String {
    if let error = compiled.error { return error.path }
    var writer = PathWriter()
    writer.write(compiled.segments, after: "$")
    return writer.text
  }

  /// The same text as ``description``.
  public var debugDescription: String { description }
}

extension JSONPath: ExpressibleByStringLiteral {
  /// The compiler's representation of a string literal, which is identified by its address.
  public typealias StringLiteralType = StaticString

  /// Creates a path from a literal; an invalid literal throws its ``JSONPathError`` on first use.
  ///
  /// A literal is parsed the first time it is used. After that, creating the path costs only a lookup by address.
  public init(stringLiteral literal: StaticString) {
    compiled = LiteralCache.shared.path(for: literal)
  }
}
