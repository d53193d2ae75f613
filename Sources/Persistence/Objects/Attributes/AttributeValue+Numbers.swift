extension Int64: AttributeValue {
  /// A whole number.
  public static var storageClass: StorageClass { .integer }

  /// From a whole number.
  public init?(stored: StoredValue) {
    guard case .integer(let value) = stored else { return nil }
    self = value
  }

  /// As it is.
  public var stored: StoredValue { .integer(self) }

  /// Reads a whole number.
  @inlinable @inline(__always) public static func read(_ reader: AttributeReader) -> Int64? { reader.integer() }
}

/// What the other integers have in common: a number that does not fit is no value.
extension AttributeValue where Self: FixedWidthInteger {
  /// A whole number.
  public static var storageClass: StorageClass { .integer }

  /// From a whole number that fits.
  public init?(stored: StoredValue) {
    guard case .integer(let value) = stored else { return nil }
    self.init(exactly: value)
  }

  /// As it is. A number above `Int64.max` has no stored form.
  public var stored: StoredValue {
    Int64(exactly: self).map { .integer($0) } ?? .unstorable("the number exceeds Int64.max")
  }

  /// Reads a whole number that fits.
  @inlinable @inline(__always) public static func read(_ reader: AttributeReader) -> Self? {
    guard let value = reader.integer() else { return nil }
    return Self(exactly: value)
  }
}

extension Int: AttributeValue {}
extension Int8: AttributeValue {}
extension Int16: AttributeValue {}
extension Int32: AttributeValue {}
extension UInt: AttributeValue {}
extension UInt8: AttributeValue {}
extension UInt16: AttributeValue {}
extension UInt32: AttributeValue {}
extension UInt64: AttributeValue {}

extension Bool: AttributeValue {
  /// A whole number, 0 or 1.
  public static var storageClass: StorageClass { .integer }

  /// From a whole number; all but 0 is true.
  public init?(stored: StoredValue) {
    guard case .integer(let value) = stored else { return nil }
    self = value != 0
  }

  /// 0 or 1.
  public var stored: StoredValue { .integer(self ? 1 : 0) }

  /// Reads a whole number.
  @inlinable @inline(__always) public static func read(_ reader: AttributeReader) -> Bool? {
    guard let value = reader.integer() else { return nil }
    return value != 0
  }
}

extension Double: AttributeValue {
  /// A floating-point number.
  public static var storageClass: StorageClass { .real }

  /// From a number.
  public init?(stored: StoredValue) {
    switch stored {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: return nil
    }
  }

  /// As it is. NaN has no stored form.
  public var stored: StoredValue { isNaN ? .unstorable("NaN cannot be stored") : .real(self) }

  /// Reads a number.
  @inlinable @inline(__always) public static func read(_ reader: AttributeReader) -> Double? { reader.real() }
}

extension Float: AttributeValue {
  /// A floating-point number.
  public static var storageClass: StorageClass { .real }

  /// From a number, rounded to the nearest `Float`.
  public init?(stored: StoredValue) {
    guard let value = Double(stored: stored) else { return nil }
    self = Float(value)
  }

  /// As a `Double`, which holds it exactly. NaN has no stored form.
  public var stored: StoredValue { Double(self).stored }

  /// Reads a number.
  @inlinable @inline(__always) public static func read(_ reader: AttributeReader) -> Float? {
    reader.real().map { Float($0) }
  }
}
