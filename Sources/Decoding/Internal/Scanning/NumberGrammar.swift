/// The grammar of a JSON number (RFC 8259 §6) as a state machine over bytes, for numbers that the end of a chunk
/// splits.
enum NumberGrammar: UInt8 {
  case start, minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits

  /// Whether the number can end in this state.
  var isAccepting: Bool { self == .zero || self == .integer || self == .fraction || self == .exponentDigits }

  /// Returns the state after one more byte; nil if the byte is not part of the number.
  func next(_ byte: UInt8) -> NumberGrammar? {
    let isDigit = byte &- 0x30 < 10
    switch self {
    case .start where byte == 0x2D: return .minus
    case .start, .minus: return isDigit ? (byte == 0x30 ? .zero : .integer) : nil
    case .integer where isDigit: return .integer
    case .zero, .integer:
      if byte == 0x2E { return .point }
      return byte | 0x20 == 0x65 ? .exponent : nil
    case .point, .fraction:
      if isDigit { return .fraction }
      return self == .fraction && byte | 0x20 == 0x65 ? .exponent : nil
    case .exponent where byte == 0x2B || byte == 0x2D: return .exponentSign
    case .exponent, .exponentSign, .exponentDigits: return isDigit ? .exponentDigits : nil
    }
  }
}
