/// The rule for `Content-Length` in responses (RFC 9112 §6.3).
enum ContentLength {
  /// Rejects a length that is not a number, or that differs from another one, because the end of the body cannot be
  /// determined.
  ///
  /// Libraries use the part that they can parse, or the last of several values, and treat the bytes after it as the
  /// next response.
  static func check(
    _ fields: some Sequence<HTTPHeaders.Field>, ofStatus status: Int, to method: HTTPMethod
  ) throws(TransportError) {
    if method == .head || status == 204 || status == 304 { return }
    var known: Int64?
    for field in fields where field.name.equalsIgnoringASCIICase("content-length") {
      for value in field.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        let value = value.drop(while: isBlank)
        let digits = value.prefix { (0x30...0x39).contains($0) }
        let rest = value[digits.endIndex...]
        guard let length = Int64(Substring(digits)), rest.allSatisfy(isBlank), known == nil || known == length else {
          // Transfer-Encoding overrides Content-Length.
          if fields.contains(where: { $0.name.equalsIgnoringASCIICase("transfer-encoding") }) { return }
          throw .malformedResponse(reason: "Content-Length is not a number or has conflicting values")
        }
        known = length
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
