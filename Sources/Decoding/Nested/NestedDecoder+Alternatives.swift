/// Values that documents have under one name or another.
extension NestedDecoder {
  /// Decodes the value at the first of some paths that leads to one; missing and null lead on to the next.
  ///
  /// ```swift
  /// let title: String = try json.decode(atFirstOf: ["name", "title"])
  /// ```
  ///
  /// - Throws: `DecodingError` as ``decode(_:at:)``: where none leads to a value, what is wrong with the first path.
  public func decode<T: Decodable>(_ type: T.Type = T.self, atFirstOf paths: [JSONPath]) throws -> T {
    if let value = try decodeIfPresent(type, atFirstOf: paths) { return value }
    return try decode(type, at: paths.first ?? .root)
  }

  /// Decodes the value at the first of some paths that leads to one, or nil where none does.
  ///
  /// - Throws: `DecodingError` as ``decode(_:at:)``, but not for what is missing or null.
  public func decodeIfPresent<T: Decodable>(_ type: T.Type = T.self, atFirstOf paths: [JSONPath]) throws -> T? {
    for path in paths {
      if let value = try decodeIfPresent(type, at: path) { return value }
    }
    return nil
  }

  /// Decodes the value at the first of some paths that leads to one in a way of its own.
  ///
  /// - Throws: `DecodingError` as ``decode(at:as:)``: where none leads to a value, what is wrong with the first path.
  public func decode<T>(atFirstOf paths: [JSONPath], as strategy: FieldStrategy<T>) throws -> T {
    if let value = try decodeIfPresent(atFirstOf: paths, as: strategy) { return value }
    return try decode(at: paths.first ?? .root, as: strategy)
  }

  /// Decodes the value at the first of some paths that leads to one in a way of its own, or nil where none does.
  ///
  /// - Throws: `DecodingError` as ``decode(at:as:)``, but not for what is missing or null.
  public func decodeIfPresent<T>(atFirstOf paths: [JSONPath], as strategy: FieldStrategy<T>) throws -> T? {
    for path in paths {
      if let value = try decodeIfPresent(at: path, as: strategy) { return value }
    }
    return nil
  }
}

extension NestedEncoder {
  /// Encodes a value at the first of some paths, those that it is decoded from.
  ///
  /// - Throws: `EncodingError` as ``encode(_:at:)``.
  public func encode<T: Encodable>(_ value: T, atFirstOf paths: [JSONPath]) throws {
    try encode(value, at: paths.first ?? .root)
  }

  /// Encodes a value at the first of some paths, unless it is nil.
  ///
  /// - Throws: `EncodingError` as ``encodeIfPresent(_:at:)``.
  public func encodeIfPresent<T: Encodable>(_ value: T?, atFirstOf paths: [JSONPath]) throws {
    try encodeIfPresent(value, at: paths.first ?? .root)
  }
}
