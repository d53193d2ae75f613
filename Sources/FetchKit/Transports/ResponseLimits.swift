/// How many bytes of a response are taken before it is given up with ``TransportError/tooLarge(_:limit:)``.
public struct ResponseLimits: Sendable, Hashable {
  /// The status line and all header fields of one response, 64 KiB unless set.
  public var headers: Int
  /// The body after decompression, 64 MiB unless set.
  public var body: Int
  /// The body of a redirect, which nobody reads: 64 KiB unless set, and never more than ``body``.
  public var redirectBody: Int

  /// Limits in bytes.
  public init(headers: Int = 64 << 10, body: Int = 64 << 20, redirectBody: Int = 64 << 10) {
    self.headers = headers
    self.body = body
    self.redirectBody = redirectBody
  }

  /// What the body of a response may have, by its status.
  public func body(forStatus status: Int) -> Int {
    switch status {
    case 301, 302, 303, 307, 308: min(body, redirectBody)
    default: body
    }
  }
}
