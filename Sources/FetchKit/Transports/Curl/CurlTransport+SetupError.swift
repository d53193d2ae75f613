#if os(Linux)
extension CurlTransport {
  /// Why a transport could not be made.
  public enum SetupError: Error, Sendable, Hashable {
    /// The libcurl that is installed is older than what we need.
    case libraryTooOld(version: String, needed: String)
    /// The libcurl that is installed was built without something that is asked for.
    case missing(Feature)
    /// The configuration makes no sense.
    case invalidConfiguration(reason: String)
    /// The system gave no memory or descriptor.
    case noResources(reason: String)
  }

  /// Something a libcurl may have been built without.
  public enum Feature: String, Sendable, Hashable, CaseIterable {
    /// Looking up names without holding everything up.
    case asynchronousLookup = "name look-ups in the background"
    /// `https`.
    case tls = "TLS"
    /// Telling which public keys a server may have.
    case publicKeyPinning = "public-key pinning"
    /// Showing a certificate of our own.
    case clientCertificates = "client certificates"
    /// Trusting a file of authorities.
    case customAuthorities = "a file of certificate authorities"
    /// Setting the oldest TLS that is spoken.
    case minimumTLS = "a minimum version of TLS"
    /// Going through a proxy.
    case proxies
    /// Talking to a proxy by TLS.
    case tlsToProxy = "TLS to a proxy"
    /// Restricting what is spoken to `http` and `https`.
    case protocolRestriction = "a restriction of protocols"
  }
}

extension CurlTransport.SetupError: CustomStringConvertible {
  /// A sentence fit for a log.
  public var description: String {
    switch self {
    case .libraryTooOld(let version, let needed): "libcurl \(version) is too old: \(needed) or newer is needed"
    case .missing(let feature): "the installed libcurl lacks \(feature.rawValue)"
    case .invalidConfiguration(let reason): "invalid configuration: \(reason)"
    case .noResources(let reason): "no resources: \(reason)"
    }
  }
}
#endif
