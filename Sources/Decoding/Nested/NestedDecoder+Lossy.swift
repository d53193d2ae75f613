extension NestedDecoder {
  /// Decodes several values. Values that cannot be decoded are dropped and reported in the result.
  ///
  /// - Parameters:
  ///   - type: The type of each value.
  ///   - path: The path of an array, or a path that selects the values, such as `results` or `results[*]`.
  ///   - limit: The limit on the number of values that can be dropped.
  /// - Throws: `DecodingError` if the path does not lead to an array, and `dataCorrupted` with a ``LossyDecodingError``
  ///   if more values had to be dropped than `limit` allows.
  public func decodeLossy<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath, allowing limit: LossyLimit = .all
  ) throws -> Lossy<T> {
    if path.compiled.steps == nil {
      return try Lossy(try root.values(at: path)) { try $0.decode(type) }.checked(limit, codingPath: codingPath)
    }
    return try lossyElements(of: try root.value(at: path), allowing: limit)
  }

  /// Decodes several values, or returns nil if the array at the path, or any value along the path, is missing or null.
  /// Values that cannot be decoded are dropped and reported in the result.
  ///
  /// - Throws: The same errors as ``decodeLossy(_:at:allowing:)``, except that missing and null values do not cause an
  ///   error.
  public func decodeLossyIfPresent<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath, allowing limit: LossyLimit = .all
  ) throws -> Lossy<T>? {
    if path.compiled.steps == nil {
      return try root.valuesIfPresent(at: path).map {
        try Lossy($0) { try $0.decode(type) }.checked(limit, codingPath: codingPath)
      }
    }
    return try root.valueIfPresent(at: path).map { try lossyElements(of: $0, allowing: limit) }
  }

  private func lossyElements<T: Decodable>(of value: NestedValue, allowing limit: LossyLimit) throws -> Lossy<T> {
    var elements = try value.unkeyedContainer()
    return try Lossy(elementsOf: &elements).checked(limit, codingPath: value.codingPath)
  }
}
