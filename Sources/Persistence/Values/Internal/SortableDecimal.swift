internal import Foundation

/// Decimals as text that sorts bytewise. For a negative number, every digit is complemented and a `~` is appended, so
/// that a larger magnitude sorts lower.
enum SortableDecimal {
  /// The number as digits. A string that is not a number becomes empty.
  static func readable(_ value: StoredValue) -> StoredValue {
    switch value {
    case .text(let text): .text(SortableDecimal.value(of: text).map { "\($0)" } ?? "")
    default: value
    }
  }

  /// Magnitudes range from -127 to 166. The bias makes them positive numbers of four digits.
  private static let bias = 5000

  static func text(of value: Decimal) -> String {
    guard !value.isZero else { return "=" }
    let negative = value.isSignMinus
    var (digits, exponent) = digits(of: negative ? -value : value)
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    let number = String(bias + exponent + digits.count) + "." + digits
    return negative ? "<" + complement(number) + "~" : ">" + number
  }

  static func value(of text: String) -> Decimal? {
    switch text.first {
    case "=": return text.count == 1 ? 0 : nil
    case ">": return magnitude(String(text.dropFirst()))
    case "<":
      guard text.last == "~" else { return nil }
      return magnitude(complement(String(text.dropFirst().dropLast()))).map { -$0 }
    default: return digits(text) ? Decimal(string: text) : nil
    }
  }

  /// Whether the text is a number without an exponent. `Decimal(string:)` alone would also accept a text that only
  /// begins with one.
  private static func digits(_ text: String) -> Bool {
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    return text.prefix(2) != "--" && (1...2).contains(parts.count)
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
  }

  private static func magnitude(_ number: String) -> Decimal? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let scale = Int(parts[0]), (0..<10_000).contains(scale), !parts[1].isEmpty,
      parts[1].allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return Decimal(string: "\(parts[1])e\(scale - bias - parts[1].count)")
  }

  /// All significant digits, and the power of ten of the last one.
  private static func digits(of value: Decimal) -> (String, Int) {
    let exponent = value.exponent
    // Without its exponent, the significand prints as an integer.
    return ("\(value.significand)", exponent)
  }

  private static func complement(_ text: String) -> String {
    String(
      text.map { character in
        guard let digit = character.wholeNumberValue, character.isASCII else { return character }
        return Character(String(9 - digit))
      })
  }
}
