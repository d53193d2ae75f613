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
}
