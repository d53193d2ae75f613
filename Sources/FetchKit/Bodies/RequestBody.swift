public import Foundation

/// The body of a request: nothing, bytes, a file, or a stream that is read as it is sent.
///
/// A one-shot body can be read only once, so a request with such a body is never sent again. It is not sent again for a
/// retry, for a redirect that preserves the body, or after a reused connection turns out to be dead. A second fetch
/// with the same one-shot stream fails with ``RequestBodySpentError``.
public struct RequestBody: Sendable {
  /// A function that returns the next chunk of a stream, or nil at the end of the stream. Each call begins only after
  /// the previous call has returned.
  public typealias Reader = @Sendable () async throws -> Data?

  /// The bytes of a body, or the file or stream that provides them.
  public enum Content: Sendable {
    /// No body.
    case none
    /// Bytes in memory.
    case data(Data)
    /// A file that is read as it is sent.
    case file(URL)
    /// A stream, described by its length (nil if it is unknown) and a function that opens the stream each time the body
    /// is sent. If the length is known, the last bytes are sent only after the reader has returned nil, so a stream
    /// that is too long is detected before the request is complete.
    case stream(length: Int64?, open: @Sendable () throws -> Reader)
  }

  /// The bytes of a body, or the file or stream that provides them.
  public var content: Content
  /// Whether the body can be read only once.
  public var isOneShot: Bool
  /// The value of the `Content-Type` field that is sent if the request does not set the field itself.
  public var contentType: String?
  /// The value of the `Content-Encoding` field that is sent if the request does not set the field itself, such as
  /// `gzip`. Set this property if the bytes of the body are already compressed.
  public var contentEncoding: String?

  /// Creates a body with the given content.
  public init(_ content: Content, contentType: String? = nil, isOneShot: Bool = false) {
    self.content = isOneShot ? content.openingOnce : content
    self.contentType = contentType
    self.isOneShot = isOneShot
  }

  /// No body.
  public static let none = RequestBody(.none)

  /// Whether the request is sent without a body.
  public var isEmpty: Bool {
    if case .none = content { true } else { false }
  }

  /// The header fields that describe the body. Each is sent if the request does not set the field itself.
  var fields: [HTTPHeaders.Field] {
    var fields: [HTTPHeaders.Field] = []
    if let contentType { fields.append(HTTPHeaders.Field(name: "Content-Type", value: contentType)) }
    if let contentEncoding { fields.append(HTTPHeaders.Field(name: "Content-Encoding", value: contentEncoding)) }
    return fields
  }
}

extension RequestBody.Content {
  /// The same content. A stream can be opened a single time.
  fileprivate var openingOnce: RequestBody.Content {
    guard case .stream(let length, let open) = self else { return self }
    let isSpent = Lock(false)
    return .stream(length: length) {
      let isFirst = isSpent.withLock { isSpent in
        defer { isSpent = true }
        return !isSpent
      }
      if !isFirst { throw RequestBodySpentError() }
      return try open()
    }
  }
}
