extension NestedDecoder {
  /// Decodes every value that a path selects, in the document's order (members of an object: by name).
  ///
  /// ```swift
  /// let titles: [String] = try json.decodeAll(at: "photos.photo[*].title")
  /// ```
  ///
  /// A singular path selects one value. Before the first wildcard, slice or filter the path is strict: what is missing
  /// there throws, where ``JSONDocument/values(_:at:)`` gives no values.
  ///
  /// - Throws: `DecodingError` as ``decode(_:at:)``. A path that selects nothing gives no values.
  public func decodeAll<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) throws -> [T] {
    if path.isSingular { return [try decode(type, at: path)] }
    return try root.values(at: path).map { try $0.decode(type) }
  }

  /// Decodes the value at a path, or gives the default where it, or anything on the way to it, is missing or null.
  ///
  /// - Throws: `DecodingError` as ``decode(_:at:)``, but not for what is missing or null: a default stands in for a
  ///   value that is not there, never for one that is wrong.
  @inlinable
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath, default: @autoclosure () throws -> T
  ) throws -> T {
    try decodeIfPresent(type, at: path) ?? `default`()
  }
}
