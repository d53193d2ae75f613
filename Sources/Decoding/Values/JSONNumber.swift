public import Foundation

/// A JSON number with the digits that it was written with, of any size and precision.
///
/// ```swift
/// let price = JSONNumber("0.10")
/// print(price?.decimal as Any, price?.double as Any)
/// ```
///
/// Two numbers are equal when their exact values are: `1`, `1.0` and `1e0` are, 2⁵³ and 2⁵³ + 1 are not.
public struct JSONNumber: Sendable {
  /// The number as it was written, in JSON's grammar.
  public let text: String

  /// - Parameter text: A number in JSON's grammar.
  init(checked text: String) { self.text = text }

  /// Takes a number in JSON's grammar; nil for any other text.
  public init?(_ text: String) {
    var text = text
    let isNumber = text.withUTF8 { bytes in
      let view = ByteView(UnsafeRawBufferPointer(bytes))
      return view.count > 0 && view.skipNumber(0) == view.count
    }
    guard isNumber else { return nil }
    self.text = text
  }

  /// Takes an integer.
  public init(_ integer: some BinaryInteger) { text = "\(integer)" }

  /// Takes a double, with the fewest digits that give it back; nil where it is infinite or no number.
  public init?(_ double: Double) {
    guard double.isFinite else { return nil }
    let text = "\(double)"
    self.text = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Takes a decimal, with all of its digits; nil where it is no number.
  public init?(_ decimal: Decimal) {
    guard !decimal.isNaN else { return nil }
    self.init("\(decimal)")
  }

  /// The number as an integer; nil where it is none, or does not fit.
  public var int: Int? { integer() }

  /// The number as an integer of that type; nil where it is none, or does not fit. `12.0` and `1e3` are integers.
  public func integer<Integer: FixedWidthInteger>(as _: Integer.Type = Integer.self) -> Integer? {
    withBytes { text in
      guard let magnitude = text.exactInteger(0, text.count, as: UInt128.self) else { return nil }
      guard text[0] == ASCII.minus else { return Integer(exactly: magnitude) }
      return magnitude <= UInt128(1) << 127 ? Integer(exactly: 0 &- Int128(truncatingIfNeeded: magnitude)) : nil
    }
  }

  /// The nearest double; infinite where the number is too large for one.
  public var double: Double {
    withBytes { text in
      var end = 0
      return text.double(0, &end)
    }
  }

  /// The number as a decimal, with as many digits as one has room for (38); nil where it is too large.
  public var decimal: Decimal? {
    guard let decimal = Decimal(string: text), !decimal.isNaN else { return nil }
    return decimal
  }

  private func withBytes<Value>(_ body: (ByteView) -> Value) -> Value {
    var text = text
    return text.withUTF8 { body(ByteView(UnsafeRawBufferPointer($0))) }
  }
}

extension JSONNumber: Hashable, Comparable {
  /// Whether both have the same exact value.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || left.exact == right.exact
  }

  /// Whether the exact value of one is less than that of the other.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool { left.exact < right.exact }

  /// Hashes the exact value.
  public func hash(into hasher: inout Hasher) { hasher.combine(exact) }

  var exact: ExactNumber { ExactNumber(text.utf8) }
}

extension JSONNumber: CustomStringConvertible {
  /// ``text``.
  public var description: String { text }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral integer: Int) { self.init(integer) }
}
