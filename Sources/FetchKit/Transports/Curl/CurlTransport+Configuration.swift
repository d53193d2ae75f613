#if os(Linux)
public import Foundation

extension CurlTransport {
  /// What a transport is told when it is made. Hosts are named without port, outside ASCII in their `xn--`
  /// form; `*` is not special.
  public struct Configuration: Sendable {
    /// How requests reach the servers: as the environment says (`http_proxy`, `https_proxy`, `no_proxy`) unless set.
    /// Where it names no proxy when the transport is made, there is none.
    public var proxy: Proxy = .environment
    /// Who is trusted to sign the certificates of servers, and of a proxy that is talked to by TLS: the system's
    /// authorities unless set.
    public var certificateAuthorities: CertificateAuthorities = .system
    /// For a host, the keys one of which its certificate must have: base64 of the SHA-256 of the DER-encoded
    /// SubjectPublicKeyInfo (as in RFC 7469). Checked besides the certificate, not instead of it.
    public var pinnedPublicKeys: [String: Set<String>] = [:]
    /// For a host, the certificate by which we show who we are.
    public var clientCertificates: [String: ClientCertificate] = [:]
    /// The hosts whose certificates are **not verified**: anyone on the way can read and change what is said to them.
    /// Every response that came so says it in ``ResponseHead/isInsecure``. Empty unless set.
    public var insecure: Set<String> = []
    /// The oldest TLS spoken, with a proxy too, 1.2 unless set.
    public var minimumTLS: TLSVersion = .tls12
    /// Whether HTTP/2 is offered to servers over TLS, true unless set.
    public var offersHTTP2 = true
    /// Whether HTTP/2 is offered for streamed responses too, false unless set: then up to 32 MiB of a body whose
    /// consumer is slow pile up in libcurl, which by HTTP/2 grants servers that much ahead. By HTTP/1.1
    /// ``streamBuffer`` holds.
    public var streamsByHTTP2 = false
    /// How many connections may stand to one host; further requests wait, and their deadlines run. Nil for no limit.
    public var connectionsPerHost: Int?
    /// How many connections are kept open for later requests, 64 unless set; after more than 512 requests at the same
    /// time, as many for each further 512.
    ///
    /// The connections of requests that ended together are kept for a second or two longer, since as many may follow.
    public var idleConnections = 64
    /// How many bytes of a streamed body may wait for its consumer before the sender is held back, 256 KiB unless set.
    public var streamBuffer = 256 << 10
  }

  /// The way to the servers.
  public enum Proxy: Sendable {
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` in the environment say.
    case environment
    /// Straight to the server, whatever the environment says.
    case none
    /// Through that proxy, but straight to the hosts in `bypass` and below. Schemes: `http`, `https`, `socks5` (names
    /// are looked up here) and `socks5h` (there). Name and password in the URL are sent to the proxy.
    case server(URL, bypass: [String] = [])
  }

  /// Who is trusted to sign the certificates of servers.
  public enum CertificateAuthorities: Sendable {
    /// Those libcurl was built to trust: on most systems the system's.
    case system
    /// Those in that PEM file and nobody else.
    case file(URL)
  }

  /// A certificate of our own, with its key.
  public struct ClientCertificate: Sendable {
    /// A PEM file with the certificate, and those between it and its authority.
    public var certificate: URL
    /// A PEM file with the private key; it may be the same file.
    public var key: URL
    /// What the key is encrypted with, if it is.
    public var passphrase: String?

    /// A certificate from its files.
    public init(certificate: URL, key: URL, passphrase: String? = nil) {
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
  /// Without the name and password of the proxy.
  public var description: String {
    switch self {
    case .environment: "environment"
    case .none: "none"
    case .server(let url, _): "\(url.scheme ?? "")://\(url.host() ?? ""):\(url.port.map(String.init) ?? "")"
    }
  }
}

extension CurlTransport.Proxy: CustomReflectable {
  /// Shows what the description shows.
  public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }
}

extension CurlTransport.ClientCertificate: CustomStringConvertible, CustomReflectable {
  /// The names of the files, without the passphrase.
  public var description: String { "\(certificate.path) with key \(key.path)" }

  /// Shows what the description shows.
  public var customMirror: Mirror { Mirror(self, children: ["files": description]) }
}
#endif
