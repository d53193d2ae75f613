/// Methods that decode values that have different names in different documents.
extension NestedDecoder {
  /// Decodes the value at the first path that leads to a value. Paths to missing or null values are skipped.
  ///
  /// ```swift
  /// let title: String = try json.decode(atFirstOf: ["name", "title"])
  /// ```
  ///
  /// - Throws: The same errors as ``decode(_:at:)``. If none of the paths leads to a value, the error describes the
  ///   first path. If `paths` is empty, the error is `dataCorrupted`.
  public func decode<T: Decodable>(_ type: T.Type = T.self, atFirstOf paths: [JSONPath]) throws -> T {
    if let value = try decodeIfPresent(type, atFirstOf: paths) { return value }
    return try decode(type, at: first(of: paths))
  }

  /// Decodes the value at the first path that leads to a value, or returns nil if no path leads to a value.
  ///
  /// - Throws: The same errors as ``decode(_:at:)``, except that missing and null values do not cause an error.
  public func decodeIfPresent<T: Decodable>(_ type: T.Type = T.self, atFirstOf paths: [JSONPath]) throws -> T? {
    for path in paths {
      if let value = try decodeIfPresent(type, at: path) { return value }
    }
    return nil
  }

  /// Uses a strategy to decode the value at the first path that leads to a value.
  ///
  /// - Throws: The same errors as ``decode(at:as:)``. If none of the paths leads to a value, the error describes the
  ///   first path. If `paths` is empty, the error is `dataCorrupted`.
  public func decode<T>(atFirstOf paths: [JSONPath], as strategy: FieldStrategy<T>) throws -> T {
    if let value = try decodeIfPresent(atFirstOf: paths, as: strategy) { return value }
    return try decode(at: first(of: paths), as: strategy)
  }

  /// Uses a strategy to decode the value at the first path that leads to a value, or returns nil if no path leads to a
  /// value.
  ///
  /// - Throws: The same errors as ``decode(at:as:)``, except that missing and null values do not cause an error.
  public func decodeIfPresent<T>(atFirstOf paths: [JSONPath], as strategy: FieldStrategy<T>) throws -> T? {
    for path in paths {
      if let value = try decodeIfPresent(at: path, as: strategy) { return value }
    }
    return nil
  }

  private func first(of paths: [JSONPath]) throws -> JSONPath {
    if let first = paths.first { return first }
    throw DecodingError.corrupted(UnsupportedPath(path: .root, reason: noPath), at: codingPath)
  }
}

private let noPath = "at least one path is needed"

extension NestedEncoder {
  /// Encodes a value at the first of the paths from which a decoder can read it, and at no other path.
  ///
  /// - Throws: The same errors as ``encode(_:at:)``, and `EncodingError.invalidValue` if `paths` is empty.
  public func encode<T: Encodable>(_ value: T, atFirstOf paths: [JSONPath]) throws {
    guard let path = paths.first else {
      throw EncodingError.invalid(value, at: codingPath, "The value cannot be encoded: \(noPath).")
    }
    try encode(value, at: path)
  }

  /// Encodes a value at the first of the paths from which a decoder can read it, unless the value is nil.
  ///
  /// - Throws: The same errors as ``encodeIfPresent(_:at:)``, and `EncodingError.invalidValue` if `paths` is empty and
  ///   the value is not nil.
  public func encodeIfPresent<T: Encodable>(_ value: T?, atFirstOf paths: [JSONPath]) throws {
    if let value {
      try encode(value, atFirstOf: paths)
    } else if let path = paths.first {
      try encodeIfPresent(value, at: path)
    }
  }
}
