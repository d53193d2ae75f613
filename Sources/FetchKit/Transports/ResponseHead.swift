/// The status and header fields of a response, and information about how the transport received it.
public struct ResponseHead: Sendable {
  /// An HTTP version.
  public struct Version: Sendable, Hashable, CustomStringConvertible {
    /// The major version, such as 1 in HTTP/1.1.
    public var major: Int
    /// The minor version, such as the second 1 in HTTP/1.1.
    public var minor: Int

    /// Creates a version with the given major and minor numbers.
    public init(major: Int, minor: Int) {
      self.major = major
      self.minor = minor
    }

    /// The version as text, such as `HTTP/1.1`.
    public var description: String { "HTTP/\(major).\(minor)" }
  }

  /// The status code, from 200 to 999. Interim (1xx) responses are skipped.
  public var status: Int
  /// The header fields as received. Even if the body has been decompressed, `Content-Encoding` and `Content-Length`
  /// still describe the compressed body.
  public var headers: HTTPHeaders
  /// The HTTP version of the response, or nil if the transport does not report it.
  public var version: Version?
  /// The address of the peer, or nil if the transport does not report it. If a proxy is used, this is the proxy's
  /// address.
  public var remoteAddress: String?
  /// Whether the transport was configured not to verify the server's certificate.
  public var isInsecure: Bool
  /// The times at which the phases of the request ended.
  public var timings: TransportTimings
  /// The content coding that the transport has removed from the body, such as `gzip`. The value is nil if the body is
  /// delivered as it was sent, or if the transport does not report it.
  public var codingRemoved: String?

  /// Creates a response head with the given properties.
  public init(
    status: Int, headers: HTTPHeaders = [:], version: Version? = nil, remoteAddress: String? = nil,
    isInsecure: Bool = false, timings: TransportTimings = TransportTimings(), codingRemoved: String? = nil
  ) {
    self.status = status
    self.headers = headers
    self.version = version
    self.remoteAddress = remoteAddress
    self.isInsecure = isInsecure
    self.timings = timings
    self.codingRemoved = codingRemoved
  }
}
