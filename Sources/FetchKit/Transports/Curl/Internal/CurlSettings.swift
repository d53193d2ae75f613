#if canImport(CLarderCurl)
internal import CLarderCurl
internal import Foundation

/// A validated configuration in the form that libcurl expects.
struct CurlSettings: Sendable {
  struct TLS: Sendable {
    var pins: String?
    var certificate: CurlTransport.ClientCertificate?
    var isInsecure = false
  }

  enum Proxy: Sendable {
    case environment
    case none
    case server(String, bypass: String)
  }

  let library: CurlLibrary
  let proxy: Proxy
  let authorities: CurlAuthorities
  /// In whole seconds; 0 if unlimited.
  let idleConnectionSeconds: Int
  let mostConnectionSeconds: Int
  let minimumTLS: CurlTransport.TLSVersion
  let allowsHTTP2: Bool
  let streamsOverHTTP2: Bool
  let connectionsPerHost: Int
  let maxIdleConnections: Int
  let streamBuffer: Int
  let headerBlocks: CurlHeaderBlocks
  /// How many transfers share a multi handle; less only in tests.
  var transfersPerPool = 512
  /// How long other requests wait for an HTTP/2 connection that is being opened, in nanoseconds; other values only in
  /// tests.
  var openingTimeout = 1_000_000_000
  private let hosts: [String: TLS]

  init(
    _ configuration: CurlTransport.Configuration, library: CurlLibrary
  ) throws(CurlTransport.SetupError) {
    self.library = library
    headerBlocks = CurlHeaderBlocks(accepting: library.acceptEncoding)
    minimumTLS = configuration.minimumTLS
    allowsHTTP2 = configuration.allowsHTTP2
    streamsOverHTTP2 = configuration.streamsOverHTTP2
    guard configuration.connectionsPerHost ?? 1 > 0 else {
      throw .invalidConfiguration(reason: "connectionsPerHost is less than 1")
    }
    guard configuration.maxIdleConnections > 0, configuration.streamBuffer > 0 else {
      throw .invalidConfiguration(reason: "maxIdleConnections and streamBuffer must be positive")
    }
    connectionsPerHost = configuration.connectionsPerHost ?? 0
    maxIdleConnections = min(configuration.maxIdleConnections, 1 << 20)
    streamBuffer = configuration.streamBuffer
    proxy = try Self.proxy(configuration.proxy, library: library)
    authorities = try CurlAuthorities(configuration.certificateAuthorities, library)
    guard configuration.idleConnectionTimeout > .zero, configuration.maxConnectionAge ?? .seconds(1) > .zero else {
      throw .invalidConfiguration(reason: "idleConnectionTimeout and maxConnectionAge must be positive")
    }
    idleConnectionSeconds = Self.seconds(configuration.idleConnectionTimeout)
    mostConnectionSeconds = configuration.maxConnectionAge.map(Self.seconds) ?? 0
    hosts = try Self.hosts(configuration)
    let needsTLS = !authorities.isDefault || !hosts.isEmpty || minimumTLS != .tls12
    guard library.hasTLS || !needsTLS else { throw .missing(.tls) }
  }

  /// Whether requests may go through a proxy that is reached over TLS.
  var mayUseTLSProxy: Bool {
    switch proxy {
    case .environment: library.hasHTTPSProxy
    case .none: false
    case .server(let url, _): url.lowercased().hasPrefix("https:")
    }
  }

  /// The TLS settings for a host, in the spelling of ``HostKey``.
  func tls(for host: String) -> TLS {
    hosts.isEmpty ? TLS() : hosts[HostKey.canonical(host)] ?? TLS()
  }

  /// The minimum TLS version as a libcurl constant.
  var oldestTLS: Int { Int(minimumTLS == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2) }

  var hostsDiffer: Bool { !hosts.isEmpty }

  var everyTLS: [TLS] { hosts.isEmpty ? [TLS()] : Array(hosts.values) }

  private static func hosts(
    _ configuration: CurlTransport.Configuration
  ) throws(CurlTransport.SetupError) -> [String: TLS] {
    var hosts: [String: TLS] = [:]
    for (host, pins) in configuration.pinnedPublicKeys {
      guard !pins.isEmpty else { throw .invalidConfiguration(reason: "the set of pinned keys for \(host) is empty") }
      for pin in pins where Data(base64Encoded: pin)?.count != 32 {
        throw .invalidConfiguration(reason: "a pinned key for \(host) is not the base64 of a SHA-256")
      }
      hosts[try key(host), default: TLS()].pins = pins.sorted().map { "sha256//\($0)" }.joined(separator: ";")
    }
    for (host, certificate) in configuration.clientCertificates {
      try CurlAuthorities.check(certificate.certificate)
      try CurlAuthorities.check(certificate.key)
      hosts[try key(host), default: TLS()].certificate = certificate
    }
    for host in configuration.insecure { hosts[try key(host), default: TLS()].isInsecure = true }
    return hosts
  }

  private static func key(_ host: String) throws(CurlTransport.SetupError) -> String {
    guard let key = HostKey.configured(host) else {
      throw .invalidConfiguration(reason: "not a host name: \(host)")
    }
    return key
  }

  private static func seconds(_ duration: Duration) -> Int {
    (min(duration, .seconds(1 << 30)).nanoseconds + 999_999_999) / 1_000_000_000
  }

  /// Checked once, because libcurl would look up each variable for every request.
  private static var environmentNamesProxy: Bool {
    let environment = ProcessInfo.processInfo.environment
    return ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains {
      environment[$0]?.isEmpty == false
    }
  }

  private static func proxy(
    _ proxy: CurlTransport.Proxy, library: CurlLibrary
  ) throws(CurlTransport.SetupError) -> Proxy {
    switch proxy {
    case .environment: return environmentNamesProxy ? .environment : .none
    case .none: return .none
    case .server(let url, let bypass):
      let scheme = url.scheme?.lowercased() ?? ""
      guard ["http", "https", "socks5", "socks5h"].contains(scheme), url.host()?.isEmpty == false else {
        throw .invalidConfiguration(reason: "not a proxy address: \(proxy)")
      }
      guard scheme != "https" || library.hasHTTPSProxy else { throw .missing(.tlsToProxy) }
      return .server(url.absoluteString, bypass: bypass.joined(separator: ","))
    }
  }
}

extension CurlSettings: CustomReflectable {
  /// Empty: the proxy's address can contain a password, which `dump` of a transport must not show.
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
