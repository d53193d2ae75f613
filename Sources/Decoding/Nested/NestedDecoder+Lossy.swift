extension NestedDecoder {
  /// Decodes many values, leaving out and reporting those that cannot be decoded.
  ///
  /// - Parameters:
  ///   - type: The type of one value.
  ///   - path: The path of an array, or one that selects the values: `results` or `results[*]`.
  ///   - limit: How many may be left out.
  /// - Throws: `DecodingError` where the path leads to no array, and `dataCorrupted` with a ``TooManyDropsError`` when
  ///   more had to be left out than `limit` allows.
  public func decodeLossy<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath, allowing limit: LossyLimit = .all
  ) throws -> Lossy<T> {
    if path.compiled.steps == nil {
      return try Lossy(try root.values(at: path)).checked(limit, codingPath: codingPath)
    }
    return try lossyElements(of: try root.value(at: path), allowing: limit)
  }

  /// The same, or nil where the path, or anything on the way, is missing or null.
  ///
  /// - Throws: `DecodingError` as ``decodeLossy(_:at:allowing:)``, but not for what is missing or null.
  public func decodeLossyIfPresent<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath, allowing limit: LossyLimit = .all
  ) throws -> Lossy<T>? {
    if path.compiled.steps == nil {
      return try root.valuesIfPresent(at: path).map { try Lossy($0).checked(limit, codingPath: codingPath) }
    }
    return try root.valueIfPresent(at: path).map { try lossyElements(of: $0, allowing: limit) }
  }

  private func lossyElements<T: Decodable>(of value: NestedValue, allowing limit: LossyLimit) throws -> Lossy<T> {
    var elements = try value.unkeyedContainer()
    return try Lossy(elementsOf: &elements).checked(limit, codingPath: value.codingPath)
  }
}
