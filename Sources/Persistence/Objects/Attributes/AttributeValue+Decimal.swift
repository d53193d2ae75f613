public import Foundation

extension Decimal: AttributeValue {
  /// Text. The store has it twice: in digits, in the attribute's own column; and as a key whose bytes sort as the
  /// numbers do, so that comparing and sorting are exact, in a column of that name behind `_sort_`. The key is what
  /// counts when it is read.
  public static var storageClass: StorageClass { .text }

  /// From the text that ``stored`` makes, or from digits, as in `-12.5`.
  public init?(stored: StoredValue) {
    guard case .text(let text) = stored, let value = SortableDecimal.value(of: text) else { return nil }
    self = value
  }

  /// `=` for zero; else `>` or `<`, the number's magnitude, a point, and its digits: `>5003.125` is 125 (0.125 × 10³).
  /// NaN has no stored form.
  public var stored: StoredValue {
    isNaN ? .unstorable("NaN cannot be stored") : .text(SortableDecimal.text(of: self))
  }

  /// True: texts of digits do not sort as their numbers do.
  public static var _isSortKeyed: Bool { true }
}

/// Decimals as text that sorts bytewise. For a negative number every digit is complemented and a `~` ends it, so that a
/// larger magnitude sorts lower.
enum SortableDecimal {
  /// The number in digits. Of what is none, nothing is left.
  static func readable(_ value: StoredValue) -> StoredValue {
    switch value {
    case .text(let text): .text(SortableDecimal.value(of: text).map { "\($0)" } ?? "")
    default: value
    }
  }

  /// Magnitudes run from -127 to 166; the bias keeps them positive and of four digits.
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

  /// Whether it is a number without an exponent: `Decimal(string:)` takes what a text begins with for the whole.
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

  /// All significant digits, and the power of ten of the last.
  private static func digits(of value: Decimal) -> (String, Int) {
    let exponent = value.exponent
    // With its exponent taken off, the significand prints as a whole number.
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
