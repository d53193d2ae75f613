extension ByteReader {
  /// Passes blanks, the name of a member and its colon.
  mutating func nextName() throws(JSONSyntaxError) -> ByteString {
    skipBlanks()
    return ByteString(text(of: try name()))
  }

  /// The name as text.
  func text(of name: JSONName) -> String {
    name.isEscaped
      ? String(decoding: ByteView(bytes).unescaped(name.range), as: UTF8.self)
      : String(decoding: bytes[name.range], as: UTF8.self)
  }
}
