@testable import Decoding

extension ByteReader {
  /// Skips a string, number, true, false or null that starts with `first`.
  mutating func skipScalar(_ first: UInt8) throws(JSONSyntaxError) {
    switch first {
    case ASCII.quote: try skipString()
    case ASCII.minus, 0x30...0x39: try skipNumber()
    case UInt8(ascii: "t"): try skip(literal: "true")
    case UInt8(ascii: "f"): try skip(literal: "false")
    case UInt8(ascii: "n"): try skip(literal: "null")
    default: throw fail(.expectedValue)
    }
  }

  private mutating func skip(literal: StaticString) throws(JSONSyntaxError) {
    for index in 0..<literal.utf8CodeUnitCount {
      guard next == literal.utf8Start[index] else { throw fail(.invalidLiteral) }
      offset += 1
    }
  }

  private mutating func skipNumber() throws(JSONSyntaxError) {
    if next == ASCII.minus { offset += 1 }
    if next == ASCII.zero {
      offset += 1
    } else {
      try skipDigits()
    }
    if next == ASCII.dot {
      offset += 1
      try skipDigits()
    }
    if let next, next | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if self.next == UInt8(ascii: "+") || self.next == ASCII.minus { offset += 1 }
      try skipDigits()
    }
    // `01` and `1x` must not be accepted as a number followed by something else.
    if let next, ASCII.isDigit(next) { throw fail(.invalidNumber) }
  }

  private mutating func skipDigits() throws(JSONSyntaxError) {
    guard let next, ASCII.isDigit(next) else { throw fail(.invalidNumber) }
    while offset < bytes.count, ASCII.isDigit(bytes[offset]) { offset += 1 }
  }

  /// Skips a string with both quotes; returns whether it has escapes.
  @discardableResult
  mutating func skipString() throws(JSONSyntaxError) -> Bool {
    offset += 1
    var isEscaped = false
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case ASCII.quote:
        offset += 1
        return isEscaped
      case ASCII.backslash:
        isEscaped = true
        try skipEscape()
      case 0x20..<0x80: offset += 1
      case 0x80...: try skipNonASCII(byte)
      default: throw fail(.controlCharacter)
      }
    }
    throw fail(.endOfInput)
  }

  private mutating func skipEscape() throws(JSONSyntaxError) {
    offset += 1
    switch next {
    case UInt8(ascii: "u"):
      offset += 1
      for _ in 0..<4 {
        guard let next, Self.hexadecimal(next) != nil else { throw fail(.invalidEscape) }
        offset += 1
      }
    case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 1
    default: throw fail(.invalidEscape)
    }
  }

  /// Skips one scalar of two to four bytes, well-formed by the Unicode standard's table 3-7.
  private mutating func skipNonASCII(_ lead: UInt8) throws(JSONSyntaxError) {
    let second: ClosedRange<UInt8>
    let length: Int
    switch lead {
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: throw fail(.invalidUTF8)
    }
    for index in 1..<length {
      guard offset + index < bytes.count else { throw fail(.endOfInput, at: bytes.count) }
      let isContinuation = index == 1 ? second.contains(bytes[offset + 1]) : bytes[offset + index] & 0xC0 == 0x80
      guard isContinuation else { throw fail(.invalidUTF8) }
    }
    offset += length
  }

  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
