public import Foundation

/// Stores enumerations, and other types with raw values, as their raw values.
extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
  /// The raw value's storage class.
  public static var storageClass: StorageClass { RawValue.storageClass }

  /// True if values of the raw value's type have sort keys.
  public static var _isSortKeyed: Bool { RawValue._isSortKeyed }

  /// Creates a value from a stored raw value, or returns nil if the type has no such raw value.
  public init?(stored: StoredValue) {
    guard let raw = RawValue(stored: stored) else { return nil }
    self.init(rawValue: raw)
  }

  /// The raw value's stored form.
  public var stored: StoredValue { rawValue.stored }

  /// Reads a raw value.
  @inlinable @inline(__always) public static func read(_ reader: ColumnReader) -> Self? {
    RawValue.read(reader).flatMap { Self(rawValue: $0) }
  }
}

extension AttributeValue where Self: RawRepresentable, RawValue == Date {
  /// The value that a fetch returns after this value has been stored. The fetched value can differ from this value,
  /// because dates are rounded when they are stored.
  public var roundedForStorage: Self { Self(rawValue: rawValue.roundedForStorage) ?? self }
}
