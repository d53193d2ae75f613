/// How many bytes of a response are taken before it is given up with ``TransportError/tooLarge(_:limit:)``.
public struct ResponseLimits: Sendable, Hashable {
  /// The status line and all header fields of one response, 64 KiB unless set.
  public var headers: Int
  /// The body after decompression, 64 MiB unless set.
  public var body: Int

  /// Limits in bytes.
  public init(headers: Int = 64 << 10, body: Int = 64 << 20) {
    self.headers = headers
    self.body = body
  }
}
