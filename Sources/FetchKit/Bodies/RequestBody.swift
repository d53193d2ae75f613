public import Foundation

/// The body of a request: nothing, bytes, a file, or a stream that is read as it is sent.
///
/// A one-shot body can be read only once, so its request is never sent a second time, whether for a retry, for a
/// redirect that preserves the body, or because a kept-alive connection turns out to be dead.
public struct RequestBody: Sendable {
  /// A function that returns the next chunk of a stream, or nil at the end of the stream. Each call begins only after
  /// the previous call has returned.
  public typealias Reader = @Sendable () async throws -> Data?

  /// The source of the bytes.
  public enum Content: Sendable {
    /// No body.
    case none
    /// Bytes in memory.
    case data(Data)
    /// A file that is read as it is sent.
    case file(URL)
    /// A stream with its length, if known, and a function that opens the stream each time the body is sent. If the
    /// length is known, the last bytes are sent only after the reader has returned nil.
    case stream(length: Int64?, open: @Sendable () throws -> Reader)
  }

  /// The source of the bytes.
  public var content: Content
  /// Whether the body can be read only once.
  public var isOneShot: Bool
  /// The `Content-Type` to send if the request does not set that field.
  public var contentType: String?

  /// Creates a body from its content.
  public init(_ content: Content, contentType: String? = nil, isOneShot: Bool = false) {
    self.content = content
    self.contentType = contentType
    self.isOneShot = isOneShot
  }

  /// No body.
  public static let none = RequestBody(.none)

  /// Whether there is no body.
  public var isEmpty: Bool {
    if case .none = content { true } else { false }
  }
}
