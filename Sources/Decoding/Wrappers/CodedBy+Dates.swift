public import Foundation

/// A date that stands in the document as a text in ISO 8601: see ``FieldStrategy/iso8601``.
public typealias ISO8601<Value: OptionalField> = CodedBy<ISO8601Source, Value> where Value.FieldValue == Date

/// A date that stands in the document as a number of seconds since 1970.
public typealias SecondsSince1970<Value: OptionalField> =
  CodedBy<SecondsSince1970Source, Value> where Value.FieldValue == Date

/// A date that stands in the document as a number of milliseconds since 1970.
public typealias MillisecondsSince1970<Value: OptionalField> =
  CodedBy<MillisecondsSince1970Source, Value> where Value.FieldValue == Date

/// The strategy of ``ISO8601``.
public enum ISO8601Source: FieldStrategySource {
  /// ``FieldStrategy/iso8601``.
  public static let strategy = FieldStrategy<Date>.iso8601
}

/// The strategy of ``SecondsSince1970``.
public enum SecondsSince1970Source: FieldStrategySource {
  /// ``FieldStrategy/secondsSince1970``.
  public static let strategy = FieldStrategy<Date>.secondsSince1970
}

/// The strategy of ``MillisecondsSince1970``.
public enum MillisecondsSince1970Source: FieldStrategySource {
  /// ``FieldStrategy/millisecondsSince1970``.
  public static let strategy = FieldStrategy<Date>.millisecondsSince1970
}
