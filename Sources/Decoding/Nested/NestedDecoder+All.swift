extension NestedDecoder {
  /// Decodes every value that a path selects, in document order, except that members of an object are sorted by name.
  ///
  /// ```swift
  /// let titles: [String] = try json.decodeAll(at: "photos.photo[*].title")
  /// ```
  ///
  /// For a singular path, the returned array contains one value. The part of a path before the first wildcard, slice or
  /// filter is strict: if a value along this part is missing, the method throws an error, whereas
  /// ``JSONDocument/values(_:at:)`` returns an empty array.
  ///
  /// - Throws: The same errors as ``decode(_:at:)``. If a wildcard, slice or filter selects nothing, no error is thrown
  ///   and the method returns an empty array.
  public func decodeAll<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) throws -> [T] {
    if path.isSingular { return [try decode(type, at: path)] }
    return try root.values(at: path).map { try $0.decode(type) }
  }

  /// Decodes the value at a path, or returns the default value if the value, or any value along the path, is missing or
  /// null.
  ///
  /// - Throws: The same errors as ``decode(_:at:)``, except that missing and null values do not cause an error. The
  ///   default value never replaces an invalid value.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath, default: @autoclosure () throws -> T
  ) throws -> T {
    try decodeIfPresent(type, at: path) ?? `default`()
  }
}
