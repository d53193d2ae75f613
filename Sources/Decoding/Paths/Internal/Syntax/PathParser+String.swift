extension PathParser {
  /// Parses a quoted string with its escapes (RFC 9535 §2.3.1.1).
  mutating func parseString() throws(JSONPathError) -> String {
    let opening = position
    let quote = peek()
    position += 1
    var result: [UInt8] = []
    while let next = peek() {
      switch next {
      case quote:
        position += 1
        return String(decoding: result, as: UTF8.self)
      case "\\":
        result += try parseEscape(in: quote).utf8
      case "\u{0}"..."\u{1F}":
        throw fail("a control character in quotes must be escaped")
      default:
        result.append(bytes[position])
        position += 1
      }
    }
    throw fail("the closing quote is missing", at: opening)
  }

  private mutating func parseEscape(in quote: Unicode.Scalar?) throws(JSONPathError) -> String {
    let start = position
    guard let kind = peek(1) else { throw fail("an escape sequence is incomplete", at: start) }
    if kind == "'" || kind == "\"" {
      guard kind == quote else { throw fail("the other kind of quote must not be escaped", at: start) }
      position += 2
      return String(kind)
    }
    let (scalar, end) = bytes.withUnsafeBytes { ByteView($0).escapedScalar(start) }
    if scalar < 0 {
      guard kind == "u" else { throw fail("`\\` must be followed by one of b t n f r / \\ u or the quote", at: start) }
      let digits = bytes[(start + 2)...].prefix(4).prefix(while: isHex).count
      throw fail("`\\u` must be followed by four hexadecimal digits", at: start + 2 + digits)
    }
    guard let scalar = Unicode.Scalar(UInt32(scalar)) else { throw fail("an unpaired surrogate", at: start) }
    position = end
    return String(scalar)
  }
}
