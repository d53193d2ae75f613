extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// The wrapped type's storage class.
  public static var storageClass: StorageClass { Wrapped.storageClass }

  /// Creates nil from `null`, or a value of the wrapped type from any other stored value.
  public init?(stored: StoredValue) {
    if case .null = stored {
      self = .none
    } else if let value = Wrapped(stored: stored) {
      self = .some(value)
    } else {
      return nil
    }
  }

  /// The stored form of the wrapped value, or `null` for nil.
  public var stored: StoredValue {
    // A key path would be created again in each call.
    if case .some(let value) = self { value.stored } else { .null }
  }

  /// The value that a fetch returns after this value has been stored.
  @inlinable @inline(__always) public var roundedForStorage: Wrapped? { map(\.roundedForStorage) }

  /// Reads nil if the column contains `null`, or else a value of the wrapped type.
  @inlinable @inline(__always) public static func read(_ reader: ColumnReader) -> Wrapped?? {
    if reader.null() { return .some(.none) }
    guard let value = Wrapped.read(reader) else { return .none }
    return .some(.some(value))
  }

  /// True, because `null` represents nil.
  public static var _isOptional: Bool { true }

  /// True if values of the wrapped type have sort keys.
  public static var _isSortKeyed: Bool { Wrapped._isSortKeyed }

  /// The problems with the wrapped type's JSON names.
  public static var _jsonNameProblems: [String] { Wrapped._jsonNameProblems }
}
