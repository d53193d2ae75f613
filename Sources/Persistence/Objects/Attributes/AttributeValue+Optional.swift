extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// That of the wrapped type.
  public static var storageClass: StorageClass { Wrapped.storageClass }

  /// `null` is nil.
  public init?(stored: StoredValue) {
    if case .null = stored {
      self = .none
    } else if let value = Wrapped(stored: stored) {
      self = .some(value)
    } else {
      return nil
    }
  }

  /// nil is `null`.
  public var stored: StoredValue { map(\.stored) ?? .null }

  /// What the wrapped type makes of it.
  @inlinable @inline(__always) public var asStored: Wrapped? { map(\.asStored) }

  /// Reads nil or a value.
  @inlinable @inline(__always) public static func read(_ reader: AttributeReader) -> Wrapped?? {
    if reader.null() { return .some(.none) }
    guard let value = Wrapped.read(reader) else { return .none }
    return .some(.some(value))
  }

  /// True: `null` is nil.
  public static var _isOptional: Bool { true }

  /// As the wrapped type's.
  public static var _isSortKeyed: Bool { Wrapped._isSortKeyed }
}
