/// A type that an attribute can have.
///
/// `Bool`, the integers, `Double`, `Float`, `String`, `Data`, `Date`, `UUID`, `URL` and `Decimal` conform, and so do
/// Optionals of them. An enumeration with raw values conforms by saying so:
///
/// ```swift
/// enum Kind: String, AttributeValue { case film, series }
/// ```
///
/// A type of your own that is `Codable` conforms by way of ``CodableAttribute``.
public protocol AttributeValue: Codable, Equatable, Sendable {
  /// The kind of column that holds the values.
  static var storageClass: StorageClass { get }

  /// The value that was stored as `stored`, or nil if none is.
  init?(stored: StoredValue)

  /// The form that is stored. Equal values must have equal forms.
  var stored: StoredValue { get }

  /// The value that is fetched after this one was stored. It is taken when the attribute is assigned, so that memory
  /// and file agree. The default is the value itself, as it must be unless the stored form is coarser: of the types
  /// here only `Date`'s is.
  var asStored: Self { get }

  /// Reads a value from a row, or answers nil if the column holds none of this type. The default goes by way of
  /// ``init(stored:)``; a type that is read often may do better.
  static func read(_ reader: AttributeReader) -> Self?

  // Requirements, for a cast that finds out the same searches all conformances of the process for each type.
  /// Whether `null` is a value. A type of your own keeps the default: false.
  static var _isOptional: Bool { get }

  /// Whether ``stored`` is a form made for sorting, beside which the store keeps one for people. A type of your own
  /// keeps the default: false.
  static var _isSortKeyed: Bool { get }
}

extension AttributeValue {
  /// The value itself.
  @inlinable @inline(__always) public var asStored: Self { self }

  /// False: `null` is no value.
  public static var _isOptional: Bool { false }

  /// False: the stored form is the one that people read.
  public static var _isSortKeyed: Bool { false }

  /// Reads a stored value and converts it.
  @inlinable public static func read(_ reader: AttributeReader) -> Self? { Self(stored: reader.value()) }
}
