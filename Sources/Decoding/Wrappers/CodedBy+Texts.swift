/// A text that stands in the document as an array of texts; they are joined with a comma and a space.
///
/// ```swift
/// @JoinedText var authors: String?   // ["Ann", "Ben"] gives "Ann, Ben"
/// ```
///
/// Encodes as one text, which it also decodes from: what the parts were cannot be told any more.
public typealias JoinedText<Value: OptionalField> =
  CodedBy<JoinedTextSource, Value> where Value.FieldValue == String

/// A number that stands in the document as a text; a plain number is taken too. Encodes as a text.
///
/// ```swift
/// @NumberInText var pages: Int   // "312"
/// ```
public typealias NumberInText<Value: OptionalField> =
  CodedBy<NumberInTextSource<Value.FieldValue>, Value>
where Value.FieldValue: LosslessStringConvertible & Codable & Numeric & Sendable

/// The strategy of ``JoinedText``.
public enum JoinedTextSource: FieldStrategySource {
  /// ``FieldStrategy/joined(separator:)``.
  public static let strategy = FieldStrategy<String>.joined()
}

/// The strategy of ``NumberInText``.
public enum NumberInTextSource<Number: LosslessStringConvertible & Codable & Numeric & Sendable>: FieldStrategySource {
  /// ``FieldStrategy/numberOrText``, but encoded as a text.
  public static var strategy: FieldStrategy<Number> {
    FieldStrategy {
      try FieldStrategy.numberOrText.decode(from: $0)
    } encode: {
      "\($0)"
    }
  }
}
