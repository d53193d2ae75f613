extension URLSessionTransport {
  /// Settings that determine how many connections a transport opens, which networks it may use, and how servers and the
  /// client prove their identity.
  ///
  /// On Linux, URLSession ignores ``allowsCellularAccess`` and ``streamBuffer``, and the other network settings do not
  /// exist. An https request to a host in ``pinnedPublicKeys`` or ``clientCertificates`` is not sent on Linux but ends
  /// with ``TransportError/invalidRequest(reason:)``. `CurlTransport` has the same settings and supports them on Linux.
  public struct Configuration: Sendable {
    /// The maximum number of simultaneous requests to one host. Further requests wait; the wait counts toward the total
    /// timeout but not the idle timeout.
    public var connectionsPerHost = 6
    /// Whether requests may use a cellular network.
    public var allowsCellularAccess = true
    /// The number of bytes of a streamed body that can wait for the consumer before the transfer is paused. The default
    /// is 256 KiB. Bytes that are already in transit within the system do not count.
    public var streamBuffer = 256 << 10
    /// The accepted public keys for each host, as in `CurlTransport.Configuration`. The host's certificate must have
    /// one of these keys. Each key is specified by the SHA-256 digest of its DER-encoded SubjectPublicKeyInfo in base64
    /// (as in RFC 7469). Pinned keys are checked in addition to the certificate, not instead of it.
    ///
    /// Write host names without a port, and use the `xn--` form for names that are not ASCII. The character `*` has no
    /// special meaning. If a host or key is invalid, every request sent through the transport ends with
    /// ``TransportError/invalidRequest(reason:)``.
    ///
    /// Use a single transport for a host with pinned keys, and do not connect to the host in any other way in the same
    /// process, because the system may resume a TLS session that another connection began. If the system never presents
    /// the host's certificate to a transport, the transport's requests are sent but end with
    /// ``TransportError/malformedResponse(reason:)``.
    public var pinnedPublicKeys: [String: Set<String>] = [:]
    /// The client certificate to present to each host. Write host names as in ``pinnedPublicKeys``.
    public var clientCertificates: [String: ClientCertificate] = [:]
    #if canImport(Darwin)
    /// Whether a request waits if no network is available, instead of failing with ``ConnectionFailure/offline``. The
    /// wait counts toward the idle timeout and the total timeout.
    public var waitsForConnectivity = false
    /// Whether requests may use a network that the system considers expensive, such as a personal hotspot.
    public var allowsExpensiveNetworkAccess = true
    /// Whether requests may use a network in Low Data Mode.
    public var allowsConstrainedNetworkAccess = true
    #endif

    /// Creates a configuration with the defaults.
    public init() {}
  }
}
