/// Methods that decode values whose type is identified by one of their members.
extension NestedDecoder {
  /// Decodes the value at a path as the type that a discriminator selects.
  ///
  /// - Throws: The same errors as ``decode(_:at:)`` and, for an unknown string, `DecodingError.dataCorrupted` with an
  ///   ``UnknownCaseError`` that lists the known strings.
  public func decode<Value>(at path: JSONPath, by discriminator: Discriminator<Value>) throws -> Value {
    try discriminator.decode(try root.value(at: path))
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

/// Methods that accept the path of the identifying member and the types instead of a discriminator.
extension NestedDecoder {
  /// Decodes the value at a path as the type that one of the value's members identifies.
  ///
  /// ```swift
  /// let pet: any Decodable = try json.decode(
  ///   at: "pet", by: "type", ["movie": Movie.self, "photo": Photo.self])
  /// ```
  ///
  /// - Throws: The same errors as ``decode(at:by:)``.
  public func decode<Value>(
    _ type: Value.Type = Value.self, at path: JSONPath, by member: JSONPath,
    _ types: [String: any (Decodable & SendableMetatype).Type], unknown: (@Sendable (RawJSON) throws -> Value)? = nil
  ) throws -> Value {
    try decode(at: path, by: Discriminator(member, types, unknown: unknown))
  }

  /// Decodes all values that a path such as `pets[*]` selects, each value as the type that one of the value's members
  /// identifies.
  ///
  /// - Throws: The same errors as ``decode(at:by:)``.
  public func decodeAll<Value>(
    _ type: Value.Type = Value.self, at path: JSONPath, by member: JSONPath,
    _ types: [String: any (Decodable & SendableMetatype).Type], unknown: (@Sendable (RawJSON) throws -> Value)? = nil
  ) throws -> [Value] {
    try decodeAll(at: path, by: Discriminator(member, types, unknown: unknown))
  }

  /// Decodes the elements of an array, or all values that a path selects, each value as the type that one of the
  /// value's members identifies. Values that cannot be decoded are dropped and reported in the result.
  ///
  /// - Throws: The same errors as ``decodeLossy(_:at:allowing:)``.
  public func decodeLossy<Value>(
    _ type: Value.Type = Value.self, at path: JSONPath, by member: JSONPath,
    _ types: [String: any (Decodable & SendableMetatype).Type], unknown: (@Sendable (RawJSON) throws -> Value)? = nil,
    allowing limit: LossyLimit = .all
  ) throws -> Lossy<Value> {
    try decodeLossy(at: path, by: Discriminator(member, types, unknown: unknown), allowing: limit)
  }
}
