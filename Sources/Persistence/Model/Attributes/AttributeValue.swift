/// A type that an attribute can have.
///
/// `Bool`, the integer types, `Double`, `Float`, `String`, `Data`, `Date`, `UUID`, `URL`, `Decimal`, and optionals of
/// these types conform. An enumeration with raw values only needs to declare its conformance:
///
/// ```swift
/// enum Kind: String, AttributeValue { case film, series }
/// ```
///
/// To store a `Codable` type, conform to ``CodableAttribute``.
nonisolated public protocol AttributeValue: QueryValue, Codable, Equatable {
  /// The storage class of a column that contains values of this type.
  static var storageClass: StorageClass { get }

  /// Creates the value with the given stored form, or returns nil if no value has this stored form.
  init?(stored: StoredValue)

  /// The stored form of the value. Equal values must have equal stored forms.
  var stored: StoredValue { get }

  /// The value that a fetch returns after this value has been stored. When you assign a value to an attribute, the
  /// attribute receives the rounded value instead, so that the value in memory is the same as the value in the file.
  /// The default is the value itself, which is correct unless the stored form is less precise than the type. Of the
  /// types that already conform to this protocol, only `Date` has a less precise stored form.
  var roundedForStorage: Self { get }

  /// Reads a value from a row, or returns nil if the column contains no value of this type. The default implementation
  /// calls ``init(stored:)``. To make reading faster, implement this method for types that are read often.
  static func read(_ reader: ColumnReader) -> Self?

  // Protocol requirements, because a cast that determines the same would search all conformances of the process for
  // each type.
  /// Whether `null` represents a value of this type. In your own types, keep the default, which is false.
  static var _isOptional: Bool { get }

  /// Whether ``stored`` is a sort key. For a type that has sort keys, the store keeps a readable form of each value as
  /// well. In your own types, keep the default, which is false.
  static var _isSortKeyed: Bool { get }

  /// Descriptions of invalid JSON member names in a ``QueryableValue``. In your own types, keep the default, which is
  /// an empty array.
  static var _jsonNameProblems: [String] { get }
}

extension AttributeValue {
  /// The value itself.
  @inlinable @inline(__always) public var roundedForStorage: Self { self }

  /// False, because `null` is not the stored form of any value of this type.
  public static var _isOptional: Bool { false }

  /// False, because the stored form is readable.
  public static var _isSortKeyed: Bool { false }

  /// Empty, because only a ``QueryableValue`` declares JSON names.
  public static var _jsonNameProblems: [String] { [] }

  /// Reads the stored value from the column and converts it with ``init(stored:)``.
  @inlinable public static func read(_ reader: ColumnReader) -> Self? { Self(stored: reader.value()) }
}
