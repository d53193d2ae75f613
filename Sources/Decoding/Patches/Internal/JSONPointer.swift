/// The tokens of a JSON Pointer (RFC 6901); only the document determines whether they are names or indices.
struct JSONPointer {
  let text: String
  private(set) var tokens: [String] = []

  init(_ text: String) throws(PatchedValue.Refusal) {
    self.text = text
    guard let first = text.utf8.first else { return }
    guard first == UInt8(ascii: "/") else { throw refusal(.invalidPointer) }
    for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      var token: [UInt8] = []
      var isEscape = false
      for byte in part {
        if isEscape {
          guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { throw refusal(.invalidPointer) }
          token.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
          isEscape = false
        } else if byte == UInt8(ascii: "~") {
          isEscape = true
        } else {
          token.append(byte)
        }
      }
      if isEscape { throw refusal(.invalidPointer) }
      tokens.append(String(decoding: token, as: UTF8.self))
    }
  }

  func refusal(_ reason: JSONPatchError.Reason) -> PatchedValue.Refusal {
    PatchedValue.Refusal(pointer: text, reason: reason)
  }

  /// Returns the index that a token represents: `0`, or digits without a leading zero.
  static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy(ASCII.isDigit), token == "0" || token.utf8.first != ASCII.zero else { return nil }
    return Int(token)
  }
}
