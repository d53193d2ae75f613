extension JSONPath: CustomStringConvertible, CustomDebugStringConvertible {
  /// The path in one spelling, whatever it was written like; for a singular one the normalized path of RFC 9535.
  ///
  /// `"a.b[0]"` gives `$['a']['b'][0]`. A literal that is not a path gives its own text.
  public var description: String {
    if let error = compiled.error { return error.path }
    var writer = PathWriter()
    writer.write(compiled.segments, after: "$")
    return writer.text
  }

  /// The same as ``description``.
  public var debugDescription: String { description }
}
