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
        let scalar = try parseEscape(in: quote)
        result.append(contentsOf: Array(String(Character(scalar)).utf8))
      case "\u{0}"..."\u{1F}":
        throw fail("a control character in quotes must be escaped")
      default:
        result.append(bytes[position])
        position += 1
      }
    }
    throw fail("the closing quote is missing", at: opening)
  }

  private mutating func parseEscape(in quote: Unicode.Scalar?) throws(JSONPathError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let kind = peek() else { throw fail("an escape sequence is incomplete", at: start) }
    position += 1
    switch kind {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "/", "\\": return kind
    case "'", "\"":
      guard kind == quote else { throw fail("the other kind of quote must not be escaped", at: start) }
      return kind
    case "u":
      let unit = try parseHexadecimal()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard unit < 0xDC00, peek() == "\\", peek(1) == "u" else {
        throw fail("an unpaired surrogate", at: start)
      }
      position += 2
      let low = try parseHexadecimal()
      // 0x10000 + ten bits of each half. The arithmetic wraps because `low` can be anything until it is checked.
      guard (0xDC00...0xDFFF).contains(low), let scalar = Unicode.Scalar((unit << 10) &+ low &- 0x35F_DC00) else {
        throw fail("an unpaired surrogate", at: start)
      }
      return scalar
    default:
      throw fail("`\\` must be followed by one of b t n f r / \\ u or the quote", at: start)
    }
  }

  private mutating func parseHexadecimal() throws(JSONPathError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek().flatMap({ Character($0).hexDigitValue }), bytes[position] < 0x80 else {
        throw fail("`\\u` must be followed by four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
