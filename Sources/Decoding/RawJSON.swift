public import Foundation

/// The bytes of one JSON value, kept as they are to be decoded later, or never.
///
/// ```swift
/// struct Envelope: Decodable {
///   var kind: String
///   var payload: RawJSON
/// }
///
/// let envelope = try JSONBytesDecoder().decode(Envelope.self, from: data)
/// if envelope.kind == "movie" { let movie = try envelope.payload.decode(Movie.self) }
/// ```
///
/// ``JSONBytesDecoder`` checks the bytes and copies them, blanks and all. Other decoders do not give them away: there
/// the value is decoded as a ``JSONValue`` and written again. Encoders of others than this module get a ``JSONValue``
/// too.
///
/// Two are equal when their bytes are.
public struct RawJSON: Hashable, Sendable {
  /// The value as JSON in UTF-8.
  public let data: Data

  init(checked data: Data) { self.data = data }

  /// Takes a document of one value; blanks around it are left out.
  ///
  /// - Throws: ``DecodingFailure`` where the bytes are not JSON.
  public init(_ data: Data) throws(DecodingFailure) {
    self = try JSONBytesDecoder().decode(RawJSON.self, from: data)
  }

  /// Writes a value.
  public init(_ value: JSONValue) { data = value.data }

  /// Decodes the value, or what a path in it leads to.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - path: The path from this value on.
  ///   - decoder: Has the options, which are a new decoder's if it is nil; those of the decoder that this value came
  ///     from are not kept.
  /// - Throws: ``DecodingFailure``, whose path and position count from this value on.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath = .root, by decoder: JSONBytesDecoder? = nil
  ) throws(DecodingFailure) -> T {
    try (decoder.map { JSONDocument(data, decoder: $0) } ?? JSONDocument(data)).decode(type, at: path)
  }

  private static let deepDecoder: JSONBytesDecoder = {
    let decoder = JSONBytesDecoder()
    decoder.maximumDepth = 10_000
    return decoder
  }()
}

extension RawJSON: Codable {
  /// Keeps the bytes of the value that the decoder stands at.
  ///
  /// - Throws: `DecodingError` where they are not JSON.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder.asBytesDecoder {
      self.init(checked: Data(try decoder.jsonBytes()))
    } else {
      self.init(try JSONValue(from: decoder))
    }
  }

  /// Encodes the value.
  ///
  /// - Throws: `EncodingError` as ``JSONValue/encode(to:)``.
  public func encode(to encoder: any Encoder) throws {
    try decode(JSONValue.self, by: Self.deepDecoder).encode(to: encoder)
  }
}

extension RawJSON: CustomStringConvertible {
  /// The bytes as text.
  public var description: String { String(decoding: data, as: UTF8.self) }
}
