extension ByteView {
  /// Returns the bytes between the quotes of a string that was skipped before, with escapes resolved to UTF-8.
  ///
  /// An unpaired surrogate becomes the three bytes that UTF-8 would use for it, so that strings remain different if
  /// their texts are. As a `String` it is U+FFFD.
  func unescaped(_ range: Range<Int>) -> [UInt8] {
    let escaped = buffer(range.lowerBound, range.upperBound)
    guard escaped.contains(ASCII.backslash) else { return Array(escaped) }
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = self[index]
      guard byte == ASCII.backslash, index + 1 < range.upperBound else {
        result.append(byte)
        index += 1
        continue
      }
      let kind = self[index + 1]
      index += 2
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var unit = UInt32(max(hex4(index), 0))
        index += 4
        if (0xD800..<0xDC00).contains(unit), index + 1 < range.upperBound, self[index] == ASCII.backslash,
          self[index + 1] == UInt8(ascii: "u")
        {
          let low = UInt32(max(hex4(index + 2), 0))
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
