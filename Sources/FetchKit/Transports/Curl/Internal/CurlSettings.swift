#if os(Linux)
internal import CCurl
internal import Foundation

/// A configuration that has been checked, in the form libcurl takes it.
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
  let authorities: String?
  let minimumTLS: CurlTransport.TLSVersion
  let offersHTTP2: Bool
  let streamsByHTTP2: Bool
  let connectionsPerHost: Int
  let idleConnections: Int
  let streamBuffer: Int
  /// How many transfers share a multi handle; fewer only in tests.
  var transfersPerPool = 512
  /// For how many nanoseconds a caller may attend to its request itself; other figures only in tests.
  var patience = 200_000
  /// For how many nanoseconds others wait for an HTTP/2 connection that opens; other figures only in tests.
  var openingPatience = 1_000_000_000
  private let hosts: [String: TLS]

  init(
    _ configuration: CurlTransport.Configuration, library: CurlLibrary
  ) throws(CurlTransport.SetupError) {
    self.library = library
    minimumTLS = configuration.minimumTLS
    offersHTTP2 = configuration.offersHTTP2
    streamsByHTTP2 = configuration.streamsByHTTP2
    guard configuration.connectionsPerHost ?? 1 > 0 else {
      throw .invalidConfiguration(reason: "connectionsPerHost is less than 1")
    }
    guard configuration.idleConnections > 0, configuration.streamBuffer > 0 else {
      throw .invalidConfiguration(reason: "idleConnections or streamBuffer is too small")
    }
    connectionsPerHost = configuration.connectionsPerHost ?? 0
    idleConnections = min(configuration.idleConnections, 1 << 20)
    streamBuffer = configuration.streamBuffer
    proxy = try Self.proxy(configuration.proxy, library: library)
    authorities =
      switch configuration.certificateAuthorities {
      case .system: nil
      case .file(let url): try Self.readable(url)
      }
    hosts = try Self.hosts(configuration)
    let asksForTLS = authorities != nil || !hosts.isEmpty || minimumTLS != .tls12
    guard library.hasTLS || !asksForTLS else { throw .missing(.tls) }
  }

  /// What holds for TLS with that host, named as ``hostKey(_:)`` does.
  func tls(for host: String) -> TLS {
    hosts.isEmpty ? TLS() : hosts[Self.address(host) ?? host] ?? TLS()
  }

  /// As libcurl takes it.
  var oldestTLS: Int { Int(minimumTLS == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2) }

  var hostsDiffer: Bool { !hosts.isEmpty }

  var everyTLS: [TLS] { hosts.isEmpty ? [TLS()] : Array(hosts.values) }

  /// The host of a URL in the one spelling by which hosts are compared: lower case, as it is looked up, without the dot
  /// at the end.
  static func hostKey(_ url: URL) -> String? {
    guard var host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host.hasSuffix(".") { host.removeLast() }
    return host.isEmpty ? nil : host
  }

  /// An IP address in the one spelling that the system gives it: libcurl too takes `0x7f.1` and `::0:1`. Nil for a
  /// name.
  private static func address(_ hostKey: String) -> String? {
    var bytes = in6_addr()
    let family = hostKey.utf8.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
    let isAddress = withUnsafeMutablePointer(to: &bytes) { bytes in
      family == AF_INET6
        ? inet_pton(AF_INET6, hostKey, bytes) == 1
        : bytes.withMemoryRebound(to: in_addr.self, capacity: 1) { inet_aton(hostKey, $0) != 0 }
    }
    guard isAddress else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      inet_ntop(family, &bytes, text.baseAddress, socklen_t(text.count)).map { String(cString: $0) }
    }
  }

  /// Whether the host is spelled in the one way that needs no translation: names outside ASCII as `xn--…`, no escapes
  /// but the one that `%25` in an IPv6 address is. Otherwise what is configured for one spelling would not hold for
  /// another.
  static func isASCII(_ hostKey: String) -> Bool {
    !hostKey.utf8.contains(UInt8(ascii: "%")) || hostKey.utf8.contains(UInt8(ascii: ":"))
  }

  private static func hosts(
    _ configuration: CurlTransport.Configuration
  ) throws(CurlTransport.SetupError) -> [String: TLS] {
    var hosts: [String: TLS] = [:]
    for (host, pins) in configuration.pinnedPublicKeys {
      guard !pins.isEmpty else { throw .invalidConfiguration(reason: "no key is pinned for \(host)") }
      for pin in pins where Data(base64Encoded: pin)?.count != 32 {
        throw .invalidConfiguration(reason: "a pin for \(host) is not the base64 of a SHA-256")
      }
      hosts[try key(host), default: TLS()].pins = pins.sorted().map { "sha256//\($0)" }.joined(separator: ";")
    }
    for (host, certificate) in configuration.clientCertificates {
      _ = try readable(certificate.certificate)
      _ = try readable(certificate.key)
      hosts[try key(host), default: TLS()].certificate = certificate
    }
    for host in configuration.insecure { hosts[try key(host), default: TLS()].isInsecure = true }
    return hosts
  }

  private static func key(_ host: String) throws(CurlTransport.SetupError) -> String {
    let isAddress = !host.hasPrefix("[") && host.split(separator: ":", omittingEmptySubsequences: false).count > 2
    guard let url = URL(string: isAddress ? "https://[\(host)]/" : "https://\(host)/"),
      url.port == nil, url.user == nil, url.path == "/", let key = hostKey(url), isASCII(key)
    else { throw .invalidConfiguration(reason: "not the name of a host: \(host)") }
    return address(key) ?? key
  }

  private static func readable(_ url: URL) throws(CurlTransport.SetupError) -> String {
    guard url.isFileURL, FileManager.default.isReadableFile(atPath: url.path) else {
      throw .invalidConfiguration(reason: "cannot read \(url.path)")
    }
    return url.path
  }

  /// Asked once: libcurl would look up each of the variables for every request.
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
        throw .invalidConfiguration(reason: "not the address of a proxy: \(proxy)")
      }
      guard scheme != "https" || library.hasHTTPSProxy else { throw .missing(.tlsToProxy) }
      return .server(url.absoluteString, bypass: bypass.joined(separator: ","))
    }
  }
}

extension CurlSettings: CustomReflectable {
  /// Nothing: the proxy's address may have a password, which `dump` of a transport must not show.
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
