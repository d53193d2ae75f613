/// Percent-encoding by RFC 3986. Everything except the unreserved characters is encoded, so a `+`, `&`, `=`, `#` or `/`
/// in a value keeps its meaning.
enum PercentEncoding {
  static func encode(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      if bytes.allSatisfy(isUnreserved) { return String(decoding: bytes, as: UTF8.self) }
      return String(unsafeUninitializedCapacity: bytes.count * 3) { output in
        var end = 0
        for byte in bytes {
          if isUnreserved(byte) {
            output[end] = byte
            end += 1
          } else {
            output[end] = 0x25
            output[end + 1] = hexDigit(byte >> 4)
            output[end + 2] = hexDigit(byte & 0xF)
            end += 3
          }
        }
        return end
      }
    }
  }

  /// Encodes text for HTML forms: like ``encode(_:)``, but spaces become `+`, `~` is encoded and `*` is not.
  static func encodeForm(_ text: String) -> String {
    encode(text).replacing("%20", with: "+").replacing("~", with: "%7E").replacing("%2A", with: "*")
  }

  /// Encodes only the characters that are not allowed in a path and query.
  static func completed(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%")
        && bytes[index...].dropFirst().prefix(2).count { Character(Unicode.Scalar($0)).isHexDigit } == 2
      if isEscape || isUnreserved(byte) || "!$&'()*+,;=:@/?".utf8.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
    default: false
    }
  }

  private static func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? 0x30 + nibble : 0x41 + nibble - 10
  }
}
