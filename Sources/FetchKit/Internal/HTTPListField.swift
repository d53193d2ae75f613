/// The members of a header field whose value is a list (RFC 9110 §5.6.1).
enum HTTPListField {
  /// Calls the function with each member, separated by commas outside quotes and without surrounding whitespace. Empty
  /// members are skipped.
  static func forEach(in value: String, _ body: (Substring) -> Void) {
    let bytes = value.utf8
    var start = bytes.startIndex
    var isQuoted = false
    var isEscaped = false
    var index = start
    while index < bytes.endIndex {
      let byte = bytes[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ","), !isQuoted {
        give(value[start..<index], body)
        start = bytes.index(after: index)
      }
      index = bytes.index(after: index)
    }
    give(value[start...], body)
  }

  /// Returns the text within quotes. A token is returned unchanged.
  static func unquoted(_ value: Substring) -> Substring {
    guard value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
    return value.dropFirst().dropLast()
  }

  /// Returns the text without leading and trailing whitespace.
  static func trimmed(_ text: Substring) -> Substring {
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return text.prefix(0) }
    return text[first...last]
  }

  private static func give(_ part: Substring, _ body: (Substring) -> Void) {
    let member = trimmed(part)
    if !member.isEmpty { body(member) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
