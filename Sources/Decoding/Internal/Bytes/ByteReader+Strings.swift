extension ByteReader {
  /// Whether the name is the given UTF-8, escapes resolved.
  func matches(_ name: JSONName, _ utf8: [UInt8]) -> Bool {
    if name.isEscaped { return unescaped(name.range) == utf8 }
    guard name.range.count == utf8.count else { return false }
    return utf8.withUnsafeBytes { ByteView(bytes).matches(name.range.lowerBound, ByteView($0)) }
  }

  /// Passes blanks, the name of a member and its colon.
  mutating func nextName() throws(JSONSyntaxError) -> ByteString {
    skipBlanks()
    return ByteString(text(of: try name()))
  }

  /// The name as text.
  func text(of name: JSONName) -> String {
    name.isEscaped
      ? String(decoding: unescaped(name.range), as: UTF8.self) : String(decoding: bytes[name.range], as: UTF8.self)
  }

  func unescaped(_ range: Range<Int>) -> [UInt8] { ByteView(bytes).unescaped(range) }
}
