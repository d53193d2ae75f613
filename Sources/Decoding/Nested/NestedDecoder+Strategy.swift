extension NestedDecoder {
  /// Uses a strategy to decode the value at a path, or the first value if the path selects several.
  ///
  /// - Throws: The same errors as ``decode(_:at:)``, including `dataCorrupted` for a value that the strategy cannot
  ///   decode.
  public func decode<T>(at path: JSONPath, as strategy: FieldStrategy<T>) throws -> T {
    let value = try root.value(at: path)
    let container = try value.decoder().singleValueContainer()
    if container.decodeNil() {
      throw DecodingError.valueNotFound(T.self, at: value.codingPath, "Expected a value, found null.")
    }
    return try strategy.decode(from: container)
  }

  /// Uses a strategy to decode the value at a path, or returns nil if the value, or any value along the path, is
  /// missing or null.
  ///
  /// - Throws: The same errors as ``decode(at:as:)``, except that missing and null values do not cause an error.
  public func decodeIfPresent<T>(at path: JSONPath, as strategy: FieldStrategy<T>) throws -> T? {
    try root.valueIfPresent(at: path).flatMap {
      try strategy.decodeIfPresent(from: try $0.decoder().singleValueContainer())
    }
  }

  /// Uses a strategy to decode the value at a path, or returns the default value if the value is missing or null.
  ///
  /// - Throws: The same errors as ``decode(at:as:)``, except that missing and null values do not cause an error.
  public func decode<T>(
    at path: JSONPath, as strategy: FieldStrategy<T>, default: @autoclosure () throws -> T
  ) throws -> T {
    try decodeIfPresent(at: path, as: strategy) ?? `default`()
  }
}
