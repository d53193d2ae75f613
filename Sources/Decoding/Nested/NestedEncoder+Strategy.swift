extension NestedEncoder {
  /// Encodes a value at a path in a way of its own.
  ///
  /// - Throws: `EncodingError` as ``encode(_:at:)``, and what the strategy throws.
  public func encode<T>(_ value: T, at path: JSONPath, as strategy: FieldStrategy<T>) throws {
    try encode(try strategy.encoded(value), at: path)
  }

  /// Encodes a value at a path in a way of its own, unless it is nil.
  ///
  /// - Throws: `EncodingError` as ``encodeIfPresent(_:at:)``, and what the strategy throws.
  public func encodeIfPresent<T>(_ value: T?, at path: JSONPath, as strategy: FieldStrategy<T>) throws {
    if let value {
      try encode(value, at: path, as: strategy)
    } else {
      try encodeIfPresent(nil as String?, at: path)
    }
  }
}
