public import Foundation

/// A JSON number of any size and precision, with its digits preserved as written.
///
/// ```swift
/// let price = JSONNumber("0.10")
/// print(price?.decimal as Any, price?.double as Any)
/// ```
///
/// Two numbers are equal if their exact values are equal: `1`, `1.0` and `1e0` are equal, but 2⁵³ and 2⁵³ + 1 are not.
public struct JSONNumber: Sendable {
  /// The number as written, in JSON syntax.
  public let text: String

  /// - Parameter text: A number in JSON's grammar.
  init(checked text: String) { self.text = text }

  /// Creates a number from a string in JSON number syntax, or returns nil for any other string.
  public init?(_ text: String) {
    guard text.withByteView({ $0.count > 0 && $0.skipNumber(0) == $0.count }) else { return nil }
    self.text = text
  }

  /// Creates a number from an integer.
  public init(_ integer: some BinaryInteger) { text = "\(integer)" }

  /// Creates a number with the fewest digits that represent the given double, or returns nil if the double is infinite
  /// or NaN.
  public init?(_ double: Double) {
    guard double.isFinite else { return nil }
    let text = "\(double)"
    self.text = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Creates a number with all digits of the given decimal, or returns nil if the decimal is NaN.
  public init?(_ decimal: Decimal) {
    guard !decimal.isNaN else { return nil }
    self.init("\(decimal)")
  }

  /// The number as an integer, or nil if the number is not an integer or does not fit into an `Int`.
  public var int: Int? { integer() }

  /// Returns the number as an integer of the given type, or nil if the number is not an integer or does not fit into
  /// the type. `12.0` and `1e3` count as integers.
  public func integer<Integer: FixedWidthInteger>(as _: Integer.Type = Integer.self) -> Integer? {
    text.withByteView { $0.wideInteger(0, $0.count) }
  }

  /// The nearest double. It is infinite if the number's magnitude is too large for a double, and 0 if the magnitude is
  /// too small.
  public var double: Double {
    var end = 0
    return text.withByteView { $0.double(0, &end) }
  }

  /// The number as a decimal with at most 38 digits, or nil if the number is too large or too small for a decimal.
  public var decimal: Decimal? {
    if text.withByteView({ $0.isZero(0, $0.count) }) { return 0 }
    // A number that is too small yields 0 or nil, depending on its spelling.
    guard let decimal = Decimal(string: text), !decimal.isNaN, decimal != 0 else { return nil }
    return decimal
  }
}

extension JSONNumber: Hashable, Comparable {
  /// Returns whether both numbers have the same exact value.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || left.exact == right.exact
  }

  /// Returns whether the exact value of the left number is less than the exact value of the right number.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool { left.exact < right.exact }

  /// Hashes the exact value.
  public func hash(into hasher: inout Hasher) { hasher.combine(exact) }

  var exact: ExactNumber { ExactNumber(text.utf8) }
}

extension JSONNumber: CustomStringConvertible {
  /// The same string as ``text``.
  public var description: String { text }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
  /// Creates a number from an integer.
  public init(integerLiteral integer: Int) { self.init(integer) }
}
