public import Decoding
public import Foundation

extension RequestBody {
  /// A value encoded as JSON, with its members in the order in which they are encoded.
  ///
  /// - Throws: Any error thrown while encoding.
  public static func json(_ value: some Encodable, encoder: JSONBytesEncoder = JSONBytesEncoder()) throws -> RequestBody
  {
    RequestBody(.data(try encoder.encode(value)), contentType: "application/json")
  }

  /// A value encoded as JSON by Foundation's encoder.
  ///
  /// - Throws: Any error thrown while encoding.
  public static func json(_ value: some Encodable, encoder: JSONEncoder) throws -> RequestBody {
    RequestBody(.data(try encoder.encode(value)), contentType: "application/json")
  }

  /// A value encoded as JSON and nested in objects. The path gives the objects' names, as in `.json(article, at:
  /// "data.attributes")`.
  ///
  /// - Throws: `EncodingError.invalidValue` if the path contains anything other than names and the index 0, or any
  ///   error thrown by the encoder.
  public static func json(
    _ value: some Encodable, at path: JSONPath, encoder: JSONBytesEncoder = JSONBytesEncoder()
  ) throws -> RequestBody {
    RequestBody(.data(try encoder.encode(value, at: path)), contentType: "application/json")
  }

  /// A value encoded as JSON by Foundation's encoder and nested in the objects that a path names.
  ///
  /// - Throws: `EncodingError.invalidValue` if the path contains anything other than names and the index 0, or any
  ///   error thrown by the encoder.
  public static func json(_ value: some Encodable, at path: JSONPath, encoder: JSONEncoder) throws -> RequestBody {
    RequestBody(.data(try encoder.encode(value, at: path)), contentType: "application/json")
  }

  /// Items encoded as an HTML form (`application/x-www-form-urlencoded`). Spaces become `+`, and everything except
  /// ASCII letters, ASCII digits and `*-._` is percent-encoded.
  public static func form(_ items: [URLQueryItem]) -> RequestBody {
    let text = items.map { item in
      "\(PercentEncoding.encodeForm(item.name))=\(PercentEncoding.encodeForm(item.value ?? ""))"
    }.joined(separator: "&")
    return RequestBody(.data(Data(text.utf8)), contentType: "application/x-www-form-urlencoded")
  }

  /// Bytes with a content type.
  public static func data(_ data: Data, contentType: String = "application/octet-stream") -> RequestBody {
    RequestBody(.data(data), contentType: contentType)
  }

  /// A file that is read as it is sent.
  public static func file(_ file: URL, contentType: String = "application/octet-stream") -> RequestBody {
    RequestBody(.file(file), contentType: contentType)
  }

  /// A sequence of chunks that can be read only once, so the request is never retried.
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
