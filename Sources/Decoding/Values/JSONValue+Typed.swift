extension JSONValue {
  /// Makes a value of what a typed value is encoded to.
  ///
  /// - Throws: What encoding throws.
  public init(encoding value: some Encodable, by encoder: JSONBytesEncoder = JSONBytesEncoder()) throws {
    self = try Self.parser.decode(JSONValue.self, from: encoder.encode(value))
  }

  /// Decodes the value as a type.
  ///
  /// The decoder has the options, which are a new decoder's if it is nil.
  ///
  /// - Throws: ``DecodingFailure``, whose position is one in ``data``.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, by decoder: JSONBytesDecoder? = nil
  ) throws(DecodingFailure) -> T {
    try (decoder ?? Self.parser).decode(type, from: data)
  }
}
