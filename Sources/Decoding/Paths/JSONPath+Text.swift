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
  /// The type of string literals from which paths are created. The address of a `StaticString` identifies a literal
  /// that has already been parsed.
  public typealias StringLiteralType = StaticString

  /// Creates a path from a string literal. If the literal is invalid, a ``JSONPathError`` is reported when the path is
  /// first used.
  ///
  /// The first call for a literal parses the literal. Every later call for the same literal only looks up the parsed
  /// path by the literal's address.
  public init(stringLiteral literal: StaticString) {
    compiled = LiteralCache.shared.path(for: literal)
  }
}
