#if canImport(CLarderCurl)
public import Foundation

extension CurlTransport {
  /// The configuration of a ``CurlTransport``.
  ///
  /// In properties that contain host names, write each name without a port, and use the `xn--` form if the name is not
  /// ASCII. The character `*` is not a wildcard.
  public struct Configuration: Sendable {
    /// How the transport connects to servers: directly or through a proxy. By default, the environment variables
    /// `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` determine the proxy. If these variables do not specify a
    /// proxy when the transport is created, a proxy that they specify later is never used.
    public var proxy: Proxy = .environment
    /// The certificate authorities that the transport trusts to sign the certificates of servers and of proxies reached
    /// over TLS. The default is the system's authorities.
    public var certificateAuthorities: CertificateAuthorities = .system
    /// The accepted public keys for each host. The host's certificate must have one of these keys. Specify each key as
    /// the base64-encoded SHA-256 digest of its DER-encoded SubjectPublicKeyInfo (as in RFC 7469). Pinned keys are
    /// checked in addition to the certificate, not instead of it.
    public var pinnedPublicKeys: [String: Set<String>] = [:]
    /// The client certificate to present to each host, keyed by host name.
    public var clientCertificates: [String: ClientCertificate] = [:]
    /// The hosts whose certificates are **not verified**. Anyone on the network path can read and change the traffic to
    /// these hosts. ``ResponseHead/isInsecure`` is true for every `https` response from these hosts. The default is an
    /// empty set.
    public var insecure: Set<String> = []
    /// The minimum TLS version, which also applies to connections to a proxy. The default is TLS 1.2.
    public var minimumTLS: TLSVersion = .tls12
    /// Whether HTTP/2 is offered to servers over TLS. The default is true.
    public var allowsHTTP2 = true
    /// Whether HTTP/2 is also offered for streamed responses. The default is false.
    ///
    /// Over HTTP/2, libcurl lets a server send up to 32 MiB ahead, so up to 32 MiB of a body can accumulate in memory
    /// if the body is consumed slowly. Over HTTP/1.1, the limit is ``streamBuffer``.
    public var streamsOverHTTP2 = false
    /// The maximum number of open connections to one host, or nil for no limit. Further requests wait for a connection,
    /// and the time that they wait counts toward their timeouts.
    public var connectionsPerHost: Int?
    /// How long an idle connection can be used again. The default is 118 seconds, as in libcurl. Set less if servers
    /// close idle connections earlier. Fractions of a second are rounded up.
    public var idleConnectionTimeout = Duration.seconds(118)
    /// How old a connection can become before it is no longer used for further requests, or nil for no limit, so that a
    /// change of a server's addresses is noticed. Fractions of a second are rounded up.
    public var maxConnectionAge: Duration?
    /// The maximum number of idle connections that are kept open for later requests. The default is 64. If
    /// ``connectionsPerHost`` is nil, this number applies to each group of up to 512 simultaneous requests.
    ///
    /// When many requests end at the same time, their connections stay open for another second or two, because a
    /// similar number of requests may follow.
    public var maxIdleConnections = 64
    /// The number of bytes of a streamed body that can wait for the consumer before the sender is paused. The default
    /// is 256 KiB.
    public var streamBuffer = 256 << 10
  }

  /// How a transport connects to servers: directly or through a proxy.
  public enum Proxy: Sendable {
    /// The proxy specified by the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    case environment
    /// A direct connection to the server, regardless of the environment.
    case none
    /// The given proxy, except for the hosts in `bypass` and their subdomains, which are reached directly. The scheme
    /// can be `http`, `https`, `socks5` or `socks5h`. With `socks5`, host names are resolved locally. With `socks5h`,
    /// the proxy resolves them. A user name and password in the URL are sent to the proxy.
    case server(URL, bypass: [String] = [])
  }

  /// Certificates or a private key in PEM format, in a file or in memory.
  public enum PEM: Sendable {
    /// A file. A client certificate is read for each new connection; authorities are kept for a day.
    case file(URL)
    /// The content of such a file, for example from a secret store.
    case data(Data)
  }

  /// The certificate authorities that a transport trusts.
  public enum CertificateAuthorities: Sendable {
    /// The authorities that libcurl was built to trust. On most systems, these are the system's authorities.
    case system
    /// The system's authorities and the given ones. They are read when the transport is created.
    case systemAnd(PEM)
    /// Only the given authorities.
    case only(PEM)
  }

  /// A client certificate and its private key.
  public struct ClientCertificate: Sendable {
    /// The certificate, followed by the intermediate certificates up to the certificate authority.
    public var certificate: PEM
    /// The private key. The certificate and the private key can be in the same file.
    public var key: PEM
    /// The passphrase for the private key, or nil if the key is not encrypted.
    public var passphrase: String?

    /// Creates a client certificate.
    public init(certificate: PEM, key: PEM, passphrase: String? = nil) {
      self.certificate = certificate
      self.key = key
      self.passphrase = passphrase
    }
  }

  /// A version of TLS.
  public enum TLSVersion: Sendable {
    /// TLS 1.2 (RFC 5246).
    case tls12
    /// TLS 1.3 (RFC 8446).
    case tls13
  }
}

extension CurlTransport.Proxy: CustomStringConvertible {
  /// The proxy's address, without the user name and password.
  public var description: String {
    switch self {
    case .environment: "environment"
    case .none: "none"
    case .server(let url, _): "\(url.scheme ?? "")://\(url.host() ?? ""):\(url.port.map(String.init) ?? "")"
    }
  }
}

extension CurlTransport.Proxy: CustomReflectable {
  /// The same text as ``description``, so that `dump` reveals nothing more.
  public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }
}

extension CurlTransport.PEM: CustomStringConvertible, CustomReflectable {
  /// The path of the file, or the number of bytes in memory.
  public var description: String {
    switch self {
    case .file(let url): url.path
    case .data(let data): "\(data.count) bytes"
    }
  }

  /// The same text as ``description``, so that `dump` does not reveal a key.
  public var customMirror: Mirror { Mirror(self, children: ["pem": description]) }
}

extension CurlTransport.ClientCertificate: CustomStringConvertible, CustomReflectable {
  /// Where the certificate and the key are, without the passphrase.
  public var description: String { "\(certificate) with key \(key)" }

  /// The same text as ``description``, so that `dump` reveals nothing more.
  public var customMirror: Mirror { Mirror(self, children: ["certificate": description]) }
}
#endif
