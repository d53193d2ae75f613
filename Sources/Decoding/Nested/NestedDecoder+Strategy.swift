extension NestedDecoder {
  /// Decodes the value at a path in a way of its own; of a path that is not singular the first that it selects.
  ///
  /// - Throws: `DecodingError` as ``decode(_:at:)``, with `dataCorrupted` for a value that the strategy cannot read.
  public func decode<T>(at path: JSONPath, as strategy: FieldStrategy<T>) throws -> T {
    let value = try root.value(at: path)
    let container = try value.singleValueContainer()
    if container.decodeNil() { throw value.nullError(T.self) }
    return try strategy.decode(from: container)
  }

  /// Decodes the value at a path in a way of its own, or nil where it, or anything on the way, is missing or null.
  ///
  /// - Throws: `DecodingError` as ``decode(at:as:)``, but not for what is missing or null.
  public func decodeIfPresent<T>(at path: JSONPath, as strategy: FieldStrategy<T>) throws -> T? {
    try root.valueIfPresent(at: path).map { try strategy.decode(from: try $0.singleValueContainer()) }
  }

  /// Decodes the value at a path in a way of its own, or gives the default where it is missing or null.
  ///
  /// - Throws: `DecodingError` as ``decode(at:as:)``, but not for what is missing or null.
  public func decode<T>(
    at path: JSONPath, as strategy: FieldStrategy<T>, default: @autoclosure () throws -> T
  ) throws -> T {
    try decodeIfPresent(at: path, as: strategy) ?? `default`()
  }
}

extension NestedValue {
  fileprivate func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try decoder().singleValueContainer()
  }

  fileprivate func nullError(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type, DecodingError.Context(codingPath: codingPath, debugDescription: "Expected a value, found null."))
  }
}
