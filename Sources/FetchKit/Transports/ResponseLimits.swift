/// The maximum sizes, in bytes, of the parts of a response. If a part is larger, the request fails with
/// ``TransportError/tooLarge(_:limit:)``.
public struct ResponseLimits: Sendable, Hashable {
  /// The maximum size of the status line and all header fields of one response. The default is 64 KiB.
  public var headers: Int
  /// The maximum size of the body after decompression. The default is 64 MiB.
  public var body: Int
  /// The maximum size of a redirect's body, which is discarded. The default is 64 KiB. If this value is greater than
  /// ``body``, the value of ``body`` is used instead.
  public var redirectBody: Int
  /// Whether a response fails with ``TransportError/malformedResponse(reason:)`` if neither its head nor its compressed
  /// body says where the body ends, so that a lost connection can look like its end (RFC 9112 §6.3). The default is
  /// false.
  ///
  /// Over HTTP/2, such a response is one with neither a `Content-Length` nor compression, because libcurl does not
  /// report how a stream ended. ``URLSessionTransport`` ignores this property.
  public var requiresKnownLength = false

  /// Creates limits with the given sizes in bytes.
  public init(headers: Int = 64 << 10, body: Int = 64 << 20, redirectBody: Int = 64 << 10) {
    self.headers = headers
    self.body = body
    self.redirectBody = redirectBody
  }

  /// Returns the limit for the body of a response with the given status code.
  public func body(forStatus status: Int) -> Int {
    switch status {
    case 301, 302, 303, 307, 308: min(body, redirectBody)
    default: body
    }
  }
}
