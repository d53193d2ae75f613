extension JSONPath: CustomStringConvertible, CustomDebugStringConvertible {
  /// The canonical form of the path. For a singular path, this is the normalized path of RFC 9535.
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
