extension NestedEncoder {
  /// Uses a strategy to encode a value at a path.
  ///
  /// - Throws: The same errors as ``encode(_:at:)``, and any error that the strategy throws.
  public func encode<T>(_ value: T, at path: JSONPath, as strategy: FieldStrategy<T>) throws {
    try encode(try strategy.encoded(value), at: path)
  }

  /// Uses a strategy to encode a value at a path, unless the value is nil.
  ///
  /// - Throws: The same errors as ``encodeIfPresent(_:at:)``, and any error that the strategy throws.
  public func encodeIfPresent<T>(_ value: T?, at path: JSONPath, as strategy: FieldStrategy<T>) throws {
    if let value {
      try encode(value, at: path, as: strategy)
    } else {
      try encodeIfPresent(nil as String?, at: path)
    }
  }
}
