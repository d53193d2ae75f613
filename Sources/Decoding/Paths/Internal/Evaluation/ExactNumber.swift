/// A JSON number as written, for comparisons without loss: 0.d₁d₂d₃… × 10^exponent, without zeros at either end.
struct ExactNumber: Hashable, Sendable {
  private var isNegative = false
  private var digits: [UInt8] = []
  private var exponent = 0

  /// - Parameter text: A number in JSON's grammar.
  init(_ text: some Collection<UInt8>) {
    var written = 0
    var isFraction = false
    var exponentText: [UInt8] = []
    var isExponent = false
    for byte in text {
      switch byte {
      case ASCII.minus where !isExponent: isNegative = true
      case ASCII.dot: isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
      default:
        if isExponent {
          exponentText.append(byte)
        } else {
          if !isFraction, !digits.isEmpty || byte != ASCII.zero { written += 1 }
          if isFraction, digits.isEmpty, byte == ASCII.zero { written -= 1 }
          if !digits.isEmpty || byte != ASCII.zero { digits.append(byte) }
        }
      }
    }
    while digits.last == ASCII.zero { digits.removeLast() }
    guard !digits.isEmpty else {
      // -0 is 0.
      isNegative = false
      return
    }
    exponent = written + Self.integer(exponentText)
  }

  init(_ count: Int) {
    self.init("\(count)".utf8)
  }

  /// Returns the exponent as a number, saturated at a value that no text is long enough to offset.
  private static func integer(_ text: [UInt8]) -> Int {
    var value = 0
    for byte in text where ASCII.isDigit(byte) {
      value = min(value * 10 + Int(byte - ASCII.zero), Int.max / 100)
    }
    return text.first == ASCII.minus ? -value : value
  }

  static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? right.isMagnitudeLess(than: left) : left.isMagnitudeLess(than: right)
  }

  private func isMagnitudeLess(than other: ExactNumber) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
