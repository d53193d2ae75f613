public import Foundation

/// A date that is represented by an ISO 8601 string in the document. See ``FieldStrategy/iso8601``.
public typealias ISO8601<Value: OptionalField> = CodedBy<ISO8601Source, Value> where Value.FieldValue == Date

/// A date that is represented by the number of seconds since 1970 in the document.
public typealias SecondsSince1970<Value: OptionalField> =
  CodedBy<SecondsSince1970Source, Value> where Value.FieldValue == Date

/// A date that is represented by the number of milliseconds since 1970 in the document.
public typealias MillisecondsSince1970<Value: OptionalField> =
  CodedBy<MillisecondsSince1970Source, Value> where Value.FieldValue == Date

/// The source of the strategy that ``ISO8601`` uses.
public enum ISO8601Source: FieldStrategySource {
  /// The strategy ``FieldStrategy/iso8601``.
  public static let strategy = FieldStrategy<Date>.iso8601
}

/// The source of the strategy that ``SecondsSince1970`` uses.
public enum SecondsSince1970Source: FieldStrategySource {
  /// The strategy ``FieldStrategy/secondsSince1970``.
  public static let strategy = FieldStrategy<Date>.secondsSince1970
}

/// The source of the strategy that ``MillisecondsSince1970`` uses.
public enum MillisecondsSince1970Source: FieldStrategySource {
  /// The strategy ``FieldStrategy/millisecondsSince1970``.
  public static let strategy = FieldStrategy<Date>.millisecondsSince1970
}
