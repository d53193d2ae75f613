public import Foundation

/// The unchanged bytes of one JSON value, to be decoded later or not at all.
///
/// ```swift
/// struct Envelope: Decodable {
///   var kind: String
///   var payload: RawJSON
/// }
///
/// let envelope = try JSONBytesDecoder().decode(Envelope.self, from: data)
/// if envelope.kind == "movie" {
///   let movie = try envelope.payload.decode(Movie.self)
/// }
/// ```
///
/// ``JSONBytesDecoder`` validates the bytes and copies them, including whitespace. Other decoders do not expose the
/// bytes of the document, so the value is decoded as a ``JSONValue`` and converted to JSON text, which can differ from
/// the text in the document. Encoders from outside this module also receive the value as a ``JSONValue``.
///
/// Two `RawJSON` values are equal if their bytes are equal.
public struct RawJSON: Hashable, Sendable {
  /// The value as JSON in UTF-8.
  public let data: Data

  init(checked data: Data) { self.data = data }

  /// Creates a value from a document, removing any surrounding whitespace.
  ///
  /// - Throws: ``LocatedDecodingError`` if the bytes are not JSON.
  public init(_ data: Data) throws(LocatedDecodingError) {
    self = try JSONBytesDecoder().decode(RawJSON.self, from: data)
  }

  /// Creates raw JSON from the JSON text of a ``JSONValue``.
  public init(_ value: JSONValue) { data = value.data }

  /// Decodes the whole value, or only the part of the value at a path.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - path: The path, relative to this value.
  ///   - decoder: The decoder that determines the options, or nil for default options. The options of the decoder that
  ///     read this value are not used, because they are not stored.
  /// - Throws: ``LocatedDecodingError``. Its path and position are relative to this value.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath = .root, by decoder: JSONBytesDecoder? = nil
  ) throws(LocatedDecodingError) -> T {
    try (decoder.map { JSONDocument(data, decoder: $0) } ?? JSONDocument(data)).decode(type, at: path)
  }

  private static let deepDecoder = JSONBytesDecoder { $0.maximumDepth = 10_000 }
}

extension RawJSON: Codable {
  /// Creates raw JSON from the bytes of the decoder's current value.
  ///
  /// - Throws: `DecodingError` if the bytes are not JSON.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder.asBytesDecoderOfWhole {
      self.init(checked: Data(try decoder.jsonBytes()))
    } else {
      self.init(try JSONValue(from: decoder))
    }
  }

  /// Encodes the value.
  ///
  /// - Throws: The same errors as ``JSONValue/encode(to:)``.
  public func encode(to encoder: any Encoder) throws {
    guard encoder.keepsForm else { return try decode(JSONValue.self, by: Self.deepDecoder).encode(to: encoder) }
    try encoder.encodeSingleValue(self)
  }

  /// The members of an object.
  func members() throws(LocatedDecodingError) -> [JSONNode] {
    try JSONDocument(data, decoder: Self.deepDecoder).nodes(at: "$.*")
  }
}

extension RawJSON: CustomStringConvertible {
  /// The bytes as a string.
  public var description: String { String(decoding: data, as: UTF8.self) }
}
