/// Writes values as JSON without blanks, and without recursion.
struct JSONTextWriter {
  private(set) var bytes: [UInt8] = []

  static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONTextWriter()
    writer.write(value)
    return writer.bytes
  }

  mutating func write(_ value: JSONValue) {
    // The arrays and objects that are open, each with the position of its next value.
    var open: [(storage: JSONStorage, next: Int)] = []
    begin(value, &open)
    while let (storage, position) = open.last {
      guard position < storage.values.count else {
        bytes.append(storage.isObject ? ASCII.rightBrace : ASCII.rightBracket)
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      if position > 0 { bytes.append(ASCII.comma) }
      if storage.isObject {
        write(storage.names[position])
        bytes.append(ASCII.colon)
      }
      begin(storage.values[position], &open)
    }
  }

  private mutating func begin(_ value: JSONValue, _ open: inout [(storage: JSONStorage, next: Int)]) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let bool): bytes += (bool ? "true" : "false").utf8
    case .number(let number): bytes += number.text.utf8
    case .string(let string): write(string)
    case .array(let array):
      bytes.append(ASCII.leftBracket)
      open.append((array.storage, 0))
    case .object(let object):
      bytes.append(ASCII.leftBrace)
      open.append((object.storage, 0))
    }
  }

  /// Writes a string with what RFC 8259 requires to be escaped.
  mutating func write(_ string: String) {
    bytes.append(ASCII.quote)
    for byte in string.utf8 {
      switch byte {
      case ASCII.quote, ASCII.backslash: bytes += [ASCII.backslash, byte]
      case 0x20...: bytes.append(byte)
      case 0x08: bytes += "\\b".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x0C: bytes += "\\f".utf8
      case 0x0D: bytes += "\\r".utf8
      default: bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
      }
    }
    bytes.append(ASCII.quote)
  }
}
