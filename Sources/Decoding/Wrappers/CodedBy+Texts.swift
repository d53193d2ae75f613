/// A string that is represented by an array of strings in the document; the strings are joined with a comma and a
/// space.
///
/// ```swift
/// @JoinedString var authors: String?   // ["Ann", "Ben"] becomes "Ann, Ben"
/// ```
///
/// The property can also be decoded from a single string. It is always encoded as a single string, because the original
/// strings are not preserved.
public typealias JoinedString<Value: OptionalField> =
  CodedBy<JoinedStringSource, Value> where Value.FieldValue == String

/// A number that is represented by a string in the document. A plain JSON number is also accepted when decoding, but
/// the number is always encoded as a string.
///
/// ```swift
/// @NumberInString var pages: Int   // "312"
/// ```
public typealias NumberInString<Value: OptionalField> =
  CodedBy<NumberInStringSource<Value.FieldValue>, Value>
where Value.FieldValue: LosslessStringConvertible & Codable & Numeric & Sendable

/// The source of the strategy that ``JoinedString`` uses.
public enum JoinedStringSource: FieldStrategySource {
  /// The strategy ``FieldStrategy/joined(separator:)``.
  public static let strategy = FieldStrategy<String>.joined()
}

/// The source of the strategy that ``NumberInString`` uses.
public enum NumberInStringSource<Number: LosslessStringConvertible & Codable & Numeric & Sendable>: FieldStrategySource
{
  /// The same strategy as ``FieldStrategy/numberOrString``, except that the number is encoded as a string.
  public static var strategy: FieldStrategy<Number> {
    var strategy = FieldStrategy<Number>.numberOrString
    strategy.encoding = {
      if let number = JSONNumber("\($0)") { return number.text }
      return UnencodableValue($0, "JSON has no such number.")
    }
    return strategy
  }
}
