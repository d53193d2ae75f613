/// Status and fields of a response, and what the transport knows about the way it came.
public struct ResponseHead: Sendable {
  /// The version of HTTP that was spoken.
  public struct Version: Sendable, Hashable, CustomStringConvertible {
    /// 1 in HTTP/1.1.
    public var major: Int
    /// 1 in HTTP/1.1.
    public var minor: Int

    /// A version by its numbers.
    public init(major: Int, minor: Int) {
      self.major = major
      self.minor = minor
    }

    /// As in `HTTP/1.1`.
    public var description: String { "HTTP/\(major).\(minor)" }
  }

  /// The status code, 200 to 999; interim (1xx) responses are skipped.
  public var status: Int
  /// The fields as received. After decompression `Content-Encoding` and `Content-Length` still speak of what was sent.
  public var headers: HTTPHeaders
  /// The version of HTTP, where the transport knows it.
  public var version: Version?
  /// The address of the peer, a proxy's where there is one, where the transport knows it.
  public var remoteAddress: String?
  /// Whether the certificate of the server was not verified, because the transport was told not to.
  public var isInsecure: Bool
  /// How long the phases took.
  public var timings: TransportTimings

  /// A head from its parts.
  public init(
    status: Int, headers: HTTPHeaders = [:], version: Version? = nil, remoteAddress: String? = nil,
    isInsecure: Bool = false, timings: TransportTimings = TransportTimings()
  ) {
    self.status = status
    self.headers = headers
    self.version = version
    self.remoteAddress = remoteAddress
    self.isInsecure = isInsecure
    self.timings = timings
  }
}
