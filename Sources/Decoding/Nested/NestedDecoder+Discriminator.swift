/// Decoding values whose type is said by one of their members.
extension NestedDecoder {
  /// Decodes the value at a path as the type that one of its members says.
  ///
  /// - Throws: `DecodingError` as ``decode(_:at:)``, with `dataCorrupted` and an ``UnknownCaseError``, which has the
  ///   known ones, for a text that stands for no type.
  public func decode<Value>(at path: JSONPath, by discriminator: Discriminator<Value>) throws -> Value {
    try discriminator.decode(try root.value(at: path))
  }

  /// Decodes the value at a path as the type that one of its members says, or nil where it is missing or null.
  ///
  /// - Throws: `DecodingError` as ``decode(at:by:)``, but not for what is missing or null.
  public func decodeIfPresent<Value>(at path: JSONPath, by discriminator: Discriminator<Value>) throws -> Value? {
    try root.valueIfPresent(at: path).map { try discriminator.decode($0) }
  }

  /// Decodes every value that a path selects as the type that one of its members says: `pets[*]`.
  ///
  /// - Throws: `DecodingError` as ``decode(at:by:)``.
  public func decodeAll<Value>(at path: JSONPath, by discriminator: Discriminator<Value>) throws -> [Value] {
    if path.isSingular { return [try decode(at: path, by: discriminator)] }
    return try root.values(at: path).map { try discriminator.decode($0) }
  }

  /// Decodes the elements of an array, or all that a path selects, and leaves out what cannot be decoded.
  ///
  /// - Throws: `DecodingError` as ``decodeLossy(_:at:allowing:)``.
  public func decodeLossy<Value>(
    at path: JSONPath, by discriminator: Discriminator<Value>, allowing limit: LossyLimit = .all
  ) throws -> Lossy<Value> {
    let values = try path.isSingular ? root.value(at: path).openArray().allElements() : root.values(at: path)
    return try Lossy(values) { try discriminator.decode($0) }.checked(limit, codingPath: codingPath)
  }
}

/// The same with the types in the call.
extension NestedDecoder {
  /// Decodes the value at a path as the type that one of its members says.
  ///
  /// ```swift
  /// let pet: any Decodable = try json.decode(at: "pet", by: "type", ["movie": Movie.self, "photo": Photo.self])
  /// ```
  ///
  /// - Throws: `DecodingError` as ``decode(at:by:)``.
  public func decode<Value>(
    _ type: Value.Type = Value.self, at path: JSONPath, by member: JSONPath,
    _ types: [String: any (Decodable & SendableMetatype).Type], unknown: (@Sendable (RawJSON) throws -> Value)? = nil
  ) throws -> Value {
    try decode(at: path, by: Discriminator(member, types, unknown: unknown))
  }

  /// Decodes every value that a path selects as the type that one of its members says: `pets[*]`.
  ///
  /// - Throws: `DecodingError` as ``decode(at:by:)``.
  public func decodeAll<Value>(
    _ type: Value.Type = Value.self, at path: JSONPath, by member: JSONPath,
    _ types: [String: any (Decodable & SendableMetatype).Type], unknown: (@Sendable (RawJSON) throws -> Value)? = nil
  ) throws -> [Value] {
    try decodeAll(at: path, by: Discriminator(member, types, unknown: unknown))
  }

  /// Decodes the elements of an array, or all that a path selects, and leaves out what cannot be decoded.
  ///
  /// - Throws: `DecodingError` as ``decodeLossy(_:at:allowing:)``.
  public func decodeLossy<Value>(
    _ type: Value.Type = Value.self, at path: JSONPath, by member: JSONPath,
    _ types: [String: any (Decodable & SendableMetatype).Type], unknown: (@Sendable (RawJSON) throws -> Value)? = nil,
    allowing limit: LossyLimit = .all
  ) throws -> Lossy<Value> {
    try decodeLossy(at: path, by: Discriminator(member, types, unknown: unknown), allowing: limit)
  }
}
