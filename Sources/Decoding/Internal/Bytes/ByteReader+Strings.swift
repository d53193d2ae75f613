extension ByteReader {
  /// Skips whitespace, the name of a member and its colon.
  mutating func nextName() throws(JSONSyntaxError) -> ByteString {
    skipBlanks()
    return ByteString(text(of: try name()))
  }

  /// Returns the name as a string.
  func text(of name: JSONName) -> String {
    name.isEscaped
      ? String(decoding: ByteView(bytes).unescaped(name.range), as: UTF8.self)
      : String(decoding: bytes[name.range], as: UTF8.self)
  }
}
