extension URLSessionTransport {
  /// Settings that determine how many connections a transport opens, which networks it may use, and how the server and
  /// the client authenticate each other.
  ///
  /// On Linux, ``allowsCellularAccess`` and ``streamBuffer`` have no effect, and the other network settings do not
  /// exist. On Linux, an https request to a host in ``pinnedPublicKeys`` or ``clientCertificates`` is not sent but ends
  /// with ``TransportError/invalidRequest(reason:)``. `CurlTransport` supports pinned keys and client certificates on
  /// Linux.
  public struct Configuration: Sendable {
    /// The maximum number of simultaneous requests to one host, without streams, which have connections of their own.
    /// Additional requests wait. Their waiting time counts toward the total timeout but not toward the idle timeout.
    public var connectionsPerHost = 6
    /// Whether requests may use a cellular network.
    public var allowsCellularAccess = true
    /// The number of bytes of a streamed body that can wait for the consumer before the transfer is paused. The default
    /// is 256 KiB. Bytes that the system has received but not yet passed to the transport do not count.
    public var streamBuffer = 256 << 10
    /// The accepted public keys for each host, as in `CurlTransport.Configuration`. The host's certificate must have
    /// one of these keys. Specify each key as the base64-encoded SHA-256 digest of its DER-encoded SubjectPublicKeyInfo
    /// (as in RFC 7469). Pinned keys are checked in addition to the certificate, not instead of it.
    ///
    /// Write each host name without a port, and use the `xn--` form if the name is not ASCII. The character `*` is not
    /// a wildcard. If a host or key is invalid, every request sent through the transport ends with
    /// ``TransportError/invalidRequest(reason:)``.
    ///
    /// In each process, connect to a host with pinned keys only through a single transport. Otherwise, the system may
    /// resume a TLS session that another connection began, and then does not present the host's certificate to the
    /// transport. If the system never presents the certificate, the transport sends requests to this host, but the
    /// requests end with ``TransportError/malformedResponse(reason:)``.
    public var pinnedPublicKeys: [String: Set<String>] = [:]
    /// The client certificate to present to each host, keyed by host name. Write host names as in ``pinnedPublicKeys``.
    public var clientCertificates: [String: ClientCertificate] = [:]
    #if canImport(Darwin)
    /// Whether a request waits for a network when none is available, instead of failing with
    /// ``ConnectionFailure/offline``. The time that the request waits counts toward the idle timeout and the total
    /// timeout.
    public var waitsForConnectivity = false
    /// Whether requests may use a network that the system considers expensive, such as a personal hotspot.
    public var allowsExpensiveNetworkAccess = true
    /// Whether requests may use a network in Low Data Mode.
    public var allowsConstrainedNetworkAccess = true
    #endif

    /// Creates a configuration with the default values.
    public init() {}
  }
}
