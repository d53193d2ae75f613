public import Foundation

/// Enumerations, and other types with raw values, are stored as these.
extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
  /// That of the raw values.
  public static var storageClass: StorageClass { RawValue.storageClass }

  /// As the raw value's.
  public static var _isSortKeyed: Bool { RawValue._isSortKeyed }

  /// From a raw value; nil if the type has none such.
  public init?(stored: StoredValue) {
    guard let raw = RawValue(stored: stored) else { return nil }
    self.init(rawValue: raw)
  }

  /// The raw value's form.
  public var stored: StoredValue { rawValue.stored }

  /// Reads a raw value.
  @inlinable @inline(__always) public static func read(_ reader: AttributeReader) -> Self? {
    RawValue.read(reader).flatMap { Self(rawValue: $0) }
  }
}

extension AttributeValue where Self: RawRepresentable, RawValue == Date {
  /// With the date that is fetched after this one was stored.
  public var asStored: Self { Self(rawValue: rawValue.asStored) ?? self }
}
