extension ByteReader {
  /// Whether the name is the given UTF-8, escapes resolved.
  func matches(_ name: JSONName, _ utf8: [UInt8]) -> Bool {
    if name.isEscaped { return unescaped(name.range) == utf8 }
    guard name.range.count == utf8.count else { return false }
    return utf8.withUnsafeBytes { ByteView(bytes).matches(name.range.lowerBound, ByteView($0)) }
  }

  /// The name as text.
  func text(of name: JSONName) -> String {
    name.isEscaped
      ? String(decoding: unescaped(name.range), as: UTF8.self) : String(decoding: bytes[name.range], as: UTF8.self)
  }

  /// The bytes between the quotes of a string that was passed before, with escapes resolved to UTF-8.
  ///
  /// Half of a surrogate pair that stands alone becomes the three bytes that UTF-8 would have for it, so that
  /// strings stay different when their texts are; it shows as U+FFFD when made a `String`.
  func unescaped(_ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      guard byte == ASCII.backslash, index + 1 < range.upperBound else {
        result.append(byte)
        index += 1
        continue
      }
      let kind = bytes[index + 1]
      index += 2
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var unit = hexadecimalUnit(at: index, before: range.upperBound)
        index += 4
        if (0xD800..<0xDC00).contains(unit), index + 1 < range.upperBound, bytes[index] == ASCII.backslash,
          bytes[index + 1] == UInt8(ascii: "u")
        {
          let low = hexadecimalUnit(at: index + 2, before: range.upperBound)
          if (0xDC00..<0xE000).contains(low) {
            unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            index += 6
          }
        }
        appendScalar(unit, to: &result)
      default: result.append(kind)
      }
    }
    return result
  }

  private func hexadecimalUnit(at start: Int, before end: Int) -> UInt32 {
    var unit: UInt32 = 0
    for index in start..<min(start + 4, end) { unit = unit << 4 | UInt32(Self.hexadecimal(bytes[index]) ?? 0) }
    return unit
  }

  private func appendScalar(_ value: UInt32, to result: inout [UInt8]) {
    switch value {
    case 0..<0x80: result.append(UInt8(value))
    case 0x80..<0x800:
      result.append(UInt8(0xC0 | value >> 6))
      result.append(UInt8(0x80 | value & 0x3F))
    case 0x800..<0x10000:
      result.append(UInt8(0xE0 | value >> 12))
      result.append(UInt8(0x80 | value >> 6 & 0x3F))
      result.append(UInt8(0x80 | value & 0x3F))
    default:
      result.append(UInt8(0xF0 | value >> 18 & 0x07))
      result.append(UInt8(0x80 | value >> 12 & 0x3F))
      result.append(UInt8(0x80 | value >> 6 & 0x3F))
      result.append(UInt8(0x80 | value & 0x3F))
    }
  }
}
