/// A string that is represented by an array of strings in the document; the strings are joined with a comma and a
/// space.
///
/// ```swift
/// @JoinedString var authors: String?   // ["Ann", "Ben"] becomes "Ann, Ben"
/// ```
///
/// It is encoded as a single string, and can also be decoded from one. The original parts are not preserved.
public typealias JoinedString<Value: OptionalField> =
  CodedBy<JoinedStringSource, Value> where Value.FieldValue == String

/// A number that is represented by a string in the document; a plain number is also accepted. It is encoded as a
/// string.
///
/// ```swift
/// @NumberInString var pages: Int   // "312"
/// ```
public typealias NumberInString<Value: OptionalField> =
  CodedBy<NumberInStringSource<Value.FieldValue>, Value>
where Value.FieldValue: LosslessStringConvertible & Codable & Numeric & Sendable

/// The source of the strategy for ``JoinedString``.
public enum JoinedStringSource: FieldStrategySource {
  /// The strategy ``FieldStrategy/joined(separator:)``.
  public static let strategy = FieldStrategy<String>.joined()
}

/// The source of the strategy for ``NumberInString``.
public enum NumberInStringSource<Number: LosslessStringConvertible & Codable & Numeric & Sendable>: FieldStrategySource
{
  /// The same strategy as ``FieldStrategy/numberOrString``, except that the number is encoded as a string.
  public static var strategy: FieldStrategy<Number> {
    FieldStrategy {
      try FieldStrategy.numberOrString.decode(from: $0)
    } encode: {
      "\($0)"
    }
  }
}
