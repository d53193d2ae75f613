/// Methods that decode values whose type is identified by one of their members.
extension NestedDecoder {
  /// Decodes the value at a path as the type that a discriminator selects.
  ///
  /// - Throws: The same errors as ``decode(_:at:)`` and, for an unknown string, `DecodingError.dataCorrupted` with an
  ///   ``UnknownCaseError`` that lists the known strings.
  public func decode<Value>(at path: JSONPath, by discriminator: Discriminator<Value>) throws -> Value {
    if path.compiled.steps?.isEmpty == true { return try discriminator.decode(root) }
    return try discriminator.decode(root.value(at: path))
  }

  /// Decodes the value at a path as the type that a discriminator selects, or returns nil if the value is missing or
  /// null.
  ///
  /// - Throws: The same errors as ``decode(at:by:)``, except that missing and null values do not cause an error.
  public func decodeIfPresent<Value>(at path: JSONPath, by discriminator: Discriminator<Value>) throws -> Value? {
    try root.valueIfPresent(at: path).map { try discriminator.decode($0) }
  }

  /// Decodes all values that a path such as `pets[*]` selects. A discriminator selects the type of each value.
  ///
  /// - Throws: The same errors as ``decode(at:by:)``.
  public func decodeAll<Value>(at path: JSONPath, by discriminator: Discriminator<Value>) throws -> [Value] {
    if path.isSingular { return [try decode(at: path, by: discriminator)] }
    return try root.values(at: path).map { try discriminator.decode($0) }
  }

  /// Decodes the elements of an array, or all values that a path selects, as the types that a discriminator selects.
  /// Values that cannot be decoded are dropped and reported in the result.
  ///
  /// - Throws: The same errors as ``decodeLossy(_:at:allowing:)``.
  public func decodeLossy<Value>(
    at path: JSONPath, by discriminator: Discriminator<Value>, allowing limit: LossyLimit = .all
  ) throws -> Lossy<Value> {
    let values = try path.isSingular ? root.value(at: path).openArray().allElements() : root.values(at: path)
    return try Lossy(values) { try discriminator.decode($0) }.checked(limit, codingPath: codingPath)
  }
}
