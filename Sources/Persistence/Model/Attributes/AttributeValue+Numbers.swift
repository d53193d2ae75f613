/// The implementation that all integer types share. A stored number outside a type's range is not a value of that type.
extension AttributeValue where Self: FixedWidthInteger {
  /// An integer.
  public static var storageClass: StorageClass { .integer }

  /// Creates a number from a stored integer, or returns nil if the integer is outside the type's range.
  public init?(stored: StoredValue) {
    guard case .integer(let value) = stored else { return nil }
    self.init(exactly: value)
  }

  /// The number, unchanged. A number above `Int64.max` cannot be stored.
  public var stored: StoredValue {
    Int64(exactly: self).map { .integer($0) } ?? .unstorable("the number exceeds Int64.max")
  }

  /// True, because the number is stored unchanged.
  public static var isStoredInOrder: Bool { true }

  /// True, because the number is stored unchanged.
  public static var _isCalculable: Bool { true }

  /// Reads an integer, or returns nil if the integer is outside the type's range.
  @inlinable @inline(__always) public static func read(_ reader: ColumnReader) -> Self? {
    guard let value = reader.integer() else { return nil }
    return Self(exactly: value)
  }
}

extension Int: AttributeValue {}
extension Int8: AttributeValue {}
extension Int16: AttributeValue {}
extension Int32: AttributeValue {}
extension Int64: AttributeValue {}
extension UInt: AttributeValue {}
extension UInt8: AttributeValue {}
extension UInt16: AttributeValue {}
extension UInt32: AttributeValue {}
extension UInt64: AttributeValue {}

extension Bool: AttributeValue {
  /// An integer, 0 or 1.
  public static var storageClass: StorageClass { .integer }

  /// Creates a Boolean from a stored integer: `false` from 0, and `true` from any other integer.
  public init?(stored: StoredValue) {
    guard case .integer(let value) = stored else { return nil }
    self = value != 0
  }

  /// 0 or 1.
  public var stored: StoredValue { .integer(self ? 1 : 0) }

  /// Reads an integer.
  @inlinable @inline(__always) public static func read(_ reader: ColumnReader) -> Bool? {
    guard let value = reader.integer() else { return nil }
    return value != 0
  }
}

extension Double: AttributeValue {
  /// A floating-point number.
  public static var storageClass: StorageClass { .real }

  /// Creates a number from a stored integer or floating-point number.
  public init?(stored: StoredValue) {
    switch stored {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: return nil
    }
  }

  /// The number, unchanged. NaN cannot be stored.
  public var stored: StoredValue { isNaN ? .unstorable("NaN cannot be stored") : .real(self) }

  /// True, because the number is stored unchanged.
  public static var isStoredInOrder: Bool { true }

  /// True, because the number is stored unchanged.
  public static var _isCalculable: Bool { true }

  /// Reads a number.
  @inlinable @inline(__always) public static func read(_ reader: ColumnReader) -> Double? { reader.real() }
}

extension Float: AttributeValue {
  /// A floating-point number.
  public static var storageClass: StorageClass { .real }

  /// Creates a number from a stored integer or floating-point number, rounded to the nearest `Float`.
  public init?(stored: StoredValue) {
    guard let value = Double(stored: stored) else { return nil }
    self = Float(value)
  }

  /// The number converted to `Double`, which represents every `Float` exactly. NaN cannot be stored.
  public var stored: StoredValue { Double(self).stored }

  /// True, because converting a `Float` to `Double` is exact. However, the store calculates with `Double` precision, so
  /// a query's result can be more precise than the same calculation with `Float`.
  public static var isStoredInOrder: Bool { true }

  /// Reads a number.
  @inlinable @inline(__always) public static func read(_ reader: ColumnReader) -> Float? {
    reader.real().map { Float($0) }
  }
}
