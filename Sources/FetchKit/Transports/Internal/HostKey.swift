internal import Foundation

/// The spelling in which hosts are compared, so that no spelling of a host bypasses its configuration.
enum HostKey {
  /// The host of a URL in lower case, without a trailing dot and without the brackets of an IPv6 address; nil if the
  /// URL has no host.
  static func of(_ url: URL) -> String? {
    guard var host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host.hasSuffix(".") { host.removeLast() }
    return host.isEmpty ? nil : host
  }

  /// The host of a request's URL, whose spelling needs no translation.
  static func checked(_ url: URL) throws(TransportError) -> String {
    guard let host = of(url) else { throw .invalidRequest(reason: "the URL has no host") }
    guard isASCII(host) else { throw .invalidRequest(reason: "the URL's host is not ASCII; use its xn-- form") }
    return host
  }

  /// The key of a host in a configuration; nil if the text is not a host name or an address alone.
  static func configured(_ host: String) -> String? {
    let isAddress = !host.hasPrefix("[") && host.split(separator: ":", omittingEmptySubsequences: false).count > 2
    guard let url = URL(string: isAddress ? "https://[\(host)]/" : "https://\(host)/"),
      url.port == nil, url.user == nil, url.path == "/", let key = of(url), isASCII(key)
    else { return nil }
    return canonical(key)
  }

  /// Whether the spelling of the host needs no translation: names outside ASCII as `xn--…`, and no percent escapes
  /// except `%25` in an IPv6 address. With other spellings, the configuration for a host could be bypassed.
  static func isASCII(_ key: String) -> Bool {
    !key.utf8.contains(UInt8(ascii: "%")) || key.utf8.contains(UInt8(ascii: ":"))
  }

  /// An IP address in the system's canonical spelling, because `0x7f.1` and `::0:1` are accepted too; a name unchanged.
  static func canonical(_ key: String) -> String {
    var bytes = in6_addr()
    let family = key.utf8.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
    let isAddress = withUnsafeMutablePointer(to: &bytes) { bytes in
      family == AF_INET6
        ? inet_pton(AF_INET6, key, bytes) == 1
        : bytes.withMemoryRebound(to: in_addr.self, capacity: 1) { inet_aton(key, $0) != 0 }
    }
    guard isAddress else { return key }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      inet_ntop(family, &bytes, text.baseAddress, socklen_t(text.count)).map { String(cString: $0) } ?? key
    }
  }
}
