internal import Foundation

/// How one host and the client prove their identity to each other.
struct HostTLS: Sendable {
  /// The accepted keys as hexadecimal digests, as ``SHA256`` writes them; empty if any key is.
  var pins: Set<String> = []
  var certificate: URLSessionTransport.ClientCertificate?
}

/// The validated TLS settings of a ``URLSessionTransport``.
struct HostTLSSettings: Sendable {
  private var hosts: [String: HostTLS] = [:]
  private var invalid: String?

  init(_ configuration: URLSessionTransport.Configuration) {
    for (host, pins) in configuration.pinnedPublicKeys {
      update(host) { $0.pins.formUnion(pins.compactMap(Self.hexDigest)) }
      if pins.isEmpty { invalid = "the set of pinned keys for \(host) is empty" }
      if pins.contains(where: { Self.hexDigest($0) == nil }) {
        invalid = "a pinned key for \(host) is not the base64 of a SHA-256"
      }
    }
    for (host, certificate) in configuration.clientCertificates {
      var isSecond = false
      update(host) {
        isSecond = $0.certificate != nil
        $0.certificate = certificate
      }
      if isSecond { invalid = "there are two client certificates for \(host)" }
      let file = certificate.archive
      if !file.isFileURL || !FileManager.default.isReadableFile(atPath: file.path) {
        invalid = "cannot read \(file.path)"
      }
    }
  }

  private mutating func update(_ host: String, _ change: (inout HostTLS) -> Void) {
    guard let key = HostKey.configured(host) else { return invalid = "not a host name: \(host)" }
    change(&hosts[key, default: HostTLS()])
  }

  private static func hexDigest(_ pin: String) -> String? {
    guard let digest = Data(base64Encoded: pin), digest.count == 32 else { return nil }
    return digest.map { byte in String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16) }.joined()
  }

  /// The settings for the request's host and the host's key; nil if there are none or the request does not use TLS.
  ///
  /// - Throws: ``TransportError/invalidRequest(reason:)`` if the settings or the host's spelling are invalid. A request
  ///   that might have to be checked is never sent unchecked.
  func settings(for url: URL) throws(TransportError) -> (key: String, tls: HostTLS)? {
    if let invalid { throw .invalidRequest(reason: "invalid configuration: \(invalid)") }
    let absolute = url.absoluteURL
    guard !hosts.isEmpty, absolute.scheme?.lowercased() == "https" else { return nil }
    let key = HostKey.canonical(try HostKey.checked(absolute))
    guard let tls = hosts[key] else { return nil }
    return (key, tls)
  }
}
