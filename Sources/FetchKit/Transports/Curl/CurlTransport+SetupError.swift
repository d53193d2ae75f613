#if os(Linux)
extension CurlTransport {
  /// The reason why a transport could not be created.
  ///
  /// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
  public enum SetupError: Error, Sendable, Hashable {
    /// The installed libcurl is older than the minimum version.
    case libraryTooOld(version: String, needed: String)
    /// The installed libcurl was built without a feature that the configuration needs.
    case missing(Feature)
    /// The configuration is invalid.
    case invalidConfiguration(reason: String)
    /// The system has no memory or file descriptors left.
    case noResources(reason: String)
  }

  /// A feature that libcurl may have been built without.
  public enum Feature: String, Sendable, Hashable, CaseIterable {
    /// Resolving names without blocking other transfers.
    case asynchronousLookup = "asynchronous name lookups"
    /// Support for `https`.
    case tls = "TLS"
    /// Restricting the public keys that a server can have.
    case publicKeyPinning = "public-key pinning"
    /// Presenting a client certificate.
    case clientCertificates = "client certificates"
    /// Trusting the authorities in a file.
    case customAuthorities = "a file of certificate authorities"
    /// Setting the minimum TLS version.
    case minimumTLS = "a minimum TLS version"
    /// Connecting through a proxy.
    case proxies
    /// Connecting to a proxy over TLS.
    case tlsToProxy = "TLS to a proxy"
    /// Restricting the protocols to `http` and `https`.
    case protocolRestriction = "protocol restriction"
  }
}

extension CurlTransport.SetupError: CustomStringConvertible {
  /// A one-sentence description for logs.
  public var description: String {
    switch self {
    case .libraryTooOld(let version, let needed): "libcurl \(version) is too old; install \(needed) or newer"
    case .missing(let feature): "the installed libcurl lacks \(feature.rawValue)"
    case .invalidConfiguration(let reason): "invalid configuration: \(reason)"
    case .noResources(let reason): "no system resources left: \(reason)"
    }
  }
}
#endif
