/// Reads a header field part by part, also its parameters: `name=value` or `name="value"` (RFC 9110 §5.6.6).
struct HTTPFieldReader {
  private var rest: ArraySlice<UInt8>

  init(_ value: String) {
    rest = Array(value.utf8)[...]
  }

  /// Returns the parameters of a field by their names in lower case. Of several with one name, the first counts.
  static func parameters(of value: String) -> [String: String] {
    var parameters: [String: String] = [:]
    var reader = HTTPFieldReader(value)
    reader.skip { $0 != UInt8(ascii: ";") }
    while reader.take(";") {
      let (name, value) = reader.parameter(endingAt: ";")
      if let value, parameters[name.lowercased()] == nil {
        parameters[name.lowercased()] = String(HTTPListField.trimmed(value[...]))
      }
      reader.skip { $0 != UInt8(ascii: ";") }
    }
    return parameters
  }

  /// Reads a parameter after its semicolon. The value is nil if there is no `=`.
  ///
  /// - Parameter delimiters: What ends a value without quotes.
  mutating func parameter(endingAt delimiters: String) -> (name: String, value: String?) {
    skip(Self.isSpace)
    let name = text { !Self.isSpace($0) && !"=;,".utf8.contains($0) }
    skip(Self.isSpace)
    guard take("=") else { return (name, nil) }
    skip(Self.isSpace)
    let value = take("\"") ? quoted() : text { !delimiters.utf8.contains($0) }
    skip(Self.isSpace)
    return (name, value)
  }

  /// Reads what follows a quotation mark, up to the next one or the end.
  private mutating func quoted() -> String {
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        if let escaped = rest.popFirst() { bytes.append(escaped) }
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func text(while isPart: (UInt8) -> Bool) -> String {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return String(decoding: part, as: UTF8.self)
  }

  mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    rest = rest.drop(while: isSkipped)
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
