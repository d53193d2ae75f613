public import Foundation

/// The body of a request: nothing, bytes, a file, or a stream that is read while it is sent.
///
/// A one-shot body can be read only once, so a request that has one is never sent a second time: not on retry, not on a
/// redirect that keeps the body, not on a kept-alive connection that turns out dead.
public struct RequestBody: Sendable {
  /// Reads the next piece of a stream: nil at its end. Called again only after it returned.
  public typealias Reader = @Sendable () async throws -> Data?

  /// Where the bytes come from.
  public enum Content: Sendable {
    /// No body.
    case none
    /// Bytes in memory.
    case data(Data)
    /// A file, read while it is sent.
    case file(URL)
    /// A stream: its length if known, and a function that opens it anew for each time it is sent. With a length the
    /// last bytes are sent when the reader has said, by nil, that they are the last.
    case stream(length: Int64?, open: @Sendable () throws -> Reader)
  }

  /// Where the bytes come from.
  public var content: Content
  /// Whether the body can be read only once.
  public var isOneShot: Bool
  /// The `Content-Type` to send unless the request names one.
  public var contentType: String?

  /// A body from its content.
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
