extension JSONValue {
  /// Creates a JSON value by encoding a value of an `Encodable` type.
  ///
  /// - Throws: Any error thrown while encoding.
  public init(encoding value: some Encodable, by encoder: JSONBytesEncoder = JSONBytesEncoder()) throws {
    self = try Self.parser.decode(JSONValue.self, from: encoder.encode(value))
  }

  /// Decodes the value as the given type.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - decoder: The decoder that determines the options, or nil for default options.
  /// - Throws: ``LocatedDecodingError``. Its position refers to the bytes of ``data``.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, by decoder: JSONBytesDecoder? = nil
  ) throws(LocatedDecodingError) -> T {
    try (decoder ?? Self.parser).decode(type, from: data)
  }
}
