/// Descriptions of bytes that are not JSON, for errors.
extension ByteView {
  /// Returns what the text seems to be: one of the bodies that services most often send instead of JSON.
  func hint(about error: JSONSyntaxError) -> String? {
    guard error.reason == .endOfInput || error.reason == .expectedValue else { return nil }
    let start = skipSpace(0)
    guard start == error.offset else { return nil }
    if count == 0 { return "the body is empty" }
    if start == count { return "the body is blank" }
    return self[start] == UInt8(ascii: "<") ? "it looks like HTML or XML" : nil
  }

  /// Returns a description of the unexpected byte; letters and digits, which may belong to a value, are not shown.
  func foundText(at error: JSONSyntaxError) -> String? {
    guard error.reason != .endOfInput, error.offset < count, hint(about: error) == nil else { return nil }
    if error.offset + 3 <= count, buffer(error.offset, error.offset + 3).elementsEqual([0xEF, 0xBB, 0xBF]) {
      return "a byte order mark"
    }
    switch self[error.offset] {
    case 0x30...0x39: return "a digit"
    case 0x41...0x5A, 0x61...0x7A: return "a letter"
    case 0x20: return "a space"
    case 0x09: return "a tab"
    case 0x0A, 0x0D: return "the end of the line"
    case 0x21...0x7E: return "`\(Character(Unicode.Scalar(self[error.offset])))`"
    case 0x80...:
      return characterLength(error.offset) > 0 ? "a character that is not ASCII" : "a byte that is not UTF-8"
    default: return "a control character"
    }
  }

  /// Skips whitespace, a member's name and its colon.
  func nextName(_ index: inout Int) throws(JSONSyntaxError) -> ByteString {
    index = skipSpace(index)
    guard index < count, self[index] == ASCII.quote else { throw failure(.expectedName, at: index) }
    let start = index + 1
    index = try endOfScalar(index)
    let name = String(decoding: unescaped(start..<index - 1), as: UTF8.self)
    index = skipSpace(index)
    guard index < count, self[index] == ASCII.colon else { throw failure(.expectedColon, at: index) }
    index += 1
    return ByteString(name)
  }

  /// Returns the index after a string, number or literal.
  func endOfScalar(_ start: Int) throws(JSONSyntaxError) -> Int {
    let end = skipScalar(start)
    let fault = end < 0 ? ~end : end
    if self[start] == ASCII.quote {
      if end < 0 { throw stringFailure(at: fault) }
    } else if startsNumber(start) {
      // `01` is not a number followed by something else.
      if end < 0 || end < count && isDigit(end) { throw failure(.invalidNumber, at: fault) }
    } else if end < 0 {
      throw failure(.invalidLiteral, at: fault)
    }
    return end
  }

  /// Describes the character or escape at which a string is malformed.
  private func stringFailure(at offset: Int) -> JSONSyntaxError {
    guard offset < count else { return failure(.endOfInput, at: count) }
    switch self[offset] {
    case ASCII.backslash:
      var wrong = offset + 1
      if wrong < count, self[wrong] == UInt8(ascii: "u") {
        repeat { wrong += 1 } while wrong < min(offset + 6, count) && isHex(self[wrong])
      }
      return failure(.invalidEscape, at: wrong)
    case 0x80...: return failure(.invalidUTF8, at: isCutCharacter(offset) ? count : offset)
    default: return failure(.controlCharacter, at: offset)
    }
  }

  func failure(_ reason: JSONSyntaxError.Reason, at offset: Int) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset, reason: offset >= count ? .endOfInput : reason)
  }
}
