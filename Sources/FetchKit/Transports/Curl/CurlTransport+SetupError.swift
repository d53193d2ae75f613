#if canImport(CLarderCurl)
extension CurlTransport {
  /// The reason why a ``CurlTransport`` could not be created.
  ///
  /// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
  public enum SetupError: Error, Sendable, Hashable {
    /// The installed libcurl is older than the minimum version.
    case libraryTooOld(version: String, needed: String)
    /// The installed libcurl was built without a feature that the configuration requires.
    case missing(Feature)
    /// The configuration is invalid.
    case invalidConfiguration(reason: String)
    /// The system has no memory or file descriptors left.
    case noResources(reason: String)
  }

  /// A feature of libcurl that an installed version can lack.
  public enum Feature: String, Sendable, Hashable, CaseIterable {
    /// Resolving host names without blocking other transfers.
    case asynchronousLookup = "asynchronous name lookups"
    /// Sending requests to `https` URLs.
    case tls = "TLS"
    /// Accepting only the pinned public keys of a server.
    case publicKeyPinning = "public-key pinning"
    /// Presenting a client certificate.
    case clientCertificates = "client certificates"
    /// Trusting certificate authorities other than those that libcurl was built to trust.
    case customAuthorities = "certificate authorities of one's own"
    /// Setting the minimum TLS version.
    case minimumTLS = "a minimum TLS version"
    /// Connecting through a proxy.
    case proxies
    /// Connecting to a proxy over TLS.
    case tlsToProxy = "TLS to a proxy"
    /// Restricting the allowed protocols to `http` and `https`.
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
