public import Foundation

extension JSONValue {
  /// Creates a value from JSON text without losing information. The maximum nesting depth is the default value of
  /// ``JSONBytesDecoder/maximumDepth``.
  ///
  /// - Throws: ``LocatedDecodingError`` if the text is not JSON.
  public init(parsing text: String) throws(LocatedDecodingError) {
    self = try Self.parser.decode(JSONValue.self, from: Array(text.utf8))
  }

  static let parser = JSONBytesDecoder()

  /// The value as JSON in UTF-8, without whitespace. The members of objects are written in order.
  public var data: Data { JSONTextWriter.data(of: self) }

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

extension JSONValue: CustomStringConvertible {
  /// The value as JSON, without whitespace.
  public var description: String { String(decoding: JSONTextWriter.data(of: self), as: UTF8.self) }
}
