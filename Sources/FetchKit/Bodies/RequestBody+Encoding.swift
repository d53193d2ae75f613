public import Decoding
public import Foundation

extension RequestBody {
  /// A JSON body that contains the encoded value. The members of an object are sent in the order in which they are
  /// encoded.
  ///
  /// - Throws: Any error thrown while encoding.
  public static func json(_ value: some Encodable, encoder: JSONBytesEncoder = JSONBytesEncoder()) throws -> RequestBody
  {
    RequestBody(.data(try encoder.encode(value)), contentType: "application/json")
  }

  /// A JSON body that contains the value as encoded by Foundation's `JSONEncoder`.
  ///
  /// - Throws: Any error thrown while encoding.
  public static func json(_ value: some Encodable, encoder: JSONEncoder) throws -> RequestBody {
    RequestBody(.data(try encoder.encode(value)), contentType: "application/json")
  }

  /// A JSON body that contains the encoded value at a path. For example, `.json(article, at: "data.attributes")` places
  /// the article in the member `attributes` of the member `data`.
  ///
  /// - Throws: `EncodingError.invalidValue` if the path contains anything other than member names and the index 0. Any
  ///   error thrown by the encoder is rethrown.
  public static func json(
    _ value: some Encodable, at path: JSONPath, encoder: JSONBytesEncoder = JSONBytesEncoder()
  ) throws -> RequestBody {
    RequestBody(.data(try encoder.encode(value, at: path)), contentType: "application/json")
  }

  /// A JSON body in which the given value is placed at a path. Foundation's `JSONEncoder` encodes the value.
  ///
  /// - Throws: `EncodingError.invalidValue` if the path contains anything other than member names and the index 0. Any
  ///   error thrown by the encoder is rethrown.
  public static func json(_ value: some Encodable, at path: JSONPath, encoder: JSONEncoder) throws -> RequestBody {
    RequestBody(.data(try encoder.encode(value, at: path)), contentType: "application/json")
  }

  /// The given items, encoded as an HTML form (`application/x-www-form-urlencoded`). A space becomes `+`. ASCII
  /// letters, ASCII digits and `*-._` remain unchanged, and all other characters are percent-encoded.
  public static func form(_ items: [URLQueryItem]) -> RequestBody {
    let text = items.map { item in
      "\(PercentEncoding.encodeForm(item.name))=\(PercentEncoding.encodeForm(item.value ?? ""))"
    }.joined(separator: "&")
    return RequestBody(.data(Data(text.utf8)), contentType: "application/x-www-form-urlencoded")
  }

  /// A body that consists of the given bytes and is sent with the given content type.
  public static func data(_ data: Data, contentType: String = "application/octet-stream") -> RequestBody {
    RequestBody(.data(data), contentType: contentType)
  }

  /// A body that consists of a file's content. The file is read as it is sent.
  public static func file(_ file: URL, contentType: String = "application/octet-stream") -> RequestBody {
    RequestBody(.file(file), contentType: contentType)
  }

  /// A body that consists of the chunks of an asynchronous sequence. The sequence can be read only once, so the request
  /// is never retried.
  public static func oneShot<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, length: Int64? = nil, contentType: String = "application/octet-stream"
  ) -> RequestBody where Chunks.Element == Data {
    let source = SequenceReader(chunks)
    return RequestBody(
      .stream(length: length) { { try await source.next() } }, contentType: contentType, isOneShot: true)
  }
}

/// Reads a sequence from one task at a time, as ``RequestBody/Reader`` requires.
private actor SequenceReader<Chunks: AsyncSequence & Sendable> where Chunks.Element == Data {
  private let chunks: Chunks
  private var iterator: Chunks.AsyncIterator?

  init(_ chunks: Chunks) {
    self.chunks = chunks
  }

  func next() async throws -> Data? {
    var current = iterator ?? chunks.makeAsyncIterator()
    let chunk = try await current.next(isolation: self)
    iterator = current
    return chunk
  }
}
