#if os(Linux)
internal import CLarderCurl
internal import Foundation

extension CurlEasy {
  /// Sets every option that the configuration can need once, so that missing libcurl features are reported before the
  /// first request.
  func validate(_ settings: CurlSettings) throws(CurlTransport.SetupError) {
    try restrictProtocols()
    try applyProxy(settings)
    guard settings.library.hasTLS else { return }
    for tls in settings.everyTLS { try apply(tls, settings) }
  }

  /// Allows only `http` and `https`.
  func restrictProtocols() throws(CurlTransport.SetupError) {
    guard !restrictProtocolsByName() else { return }
    try restrictProtocolsByMask()
  }

  /// Uses PROTOCOLS_STR, which has existed since 7.85. Returns false if libcurl does not support it.
  func restrictProtocolsByName() -> Bool {
    set(CURLoption(rawValue: UInt32(CURLOPTTYPE_STRINGPOINT) + 318), "http,https") == CURLE_OK
  }

  /// Uses PROTOCOLS, which newer headers mark as deprecated.
  func restrictProtocolsByMask() throws(CurlTransport.SetupError) {
    let option = CURLoption(rawValue: UInt32(CURLOPTTYPE_LONG) + 181)
    try set(option, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS), needs: .protocolRestriction)
  }

  /// Sets how the server and the client prove their identity.
  func apply(_ tls: CurlSettings.TLS, _ settings: CurlSettings) throws(CurlTransport.SetupError) {
    try set(CURLOPT_SSLVERSION, settings.oldestTLS, needs: .minimumTLS)
    try trust(
      settings.authorities, file: CURLOPT_CAINFO, folder: CURLOPT_CAPATH, data: CURLOPT_CAINFO_BLOB)
    if tls.isInsecure {
      set(CURLOPT_SSL_VERIFYPEER, 0)
      set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    if let pins = tls.pins { try set(CURLOPT_PINNEDPUBLICKEY, pins, needs: .publicKeyPinning) }
    if let certificate = tls.certificate {
      try set(certificate.certificate, file: CURLOPT_SSLCERT, data: CURLOPT_SSLCERT_BLOB)
      try set(certificate.key, file: CURLOPT_SSLKEY, data: CURLOPT_SSLKEY_BLOB)
      if let passphrase = certificate.passphrase {
        try set(CURLOPT_KEYPASSWD, passphrase, needs: .clientCertificates)
      }
    }
  }

  func applyProxy(_ settings: CurlSettings) throws(CurlTransport.SetupError) {
    switch settings.proxy {
    case .environment: break
    case .none: set(CURLOPT_PROXY, "")
    case .server(let url, let bypass):
      // If these were silently omitted, requests would bypass the proxy, or go through it against the configuration.
      try set(CURLOPT_PROXY, url, needs: .proxies)
      try set(CURLOPT_NOPROXY, bypass, needs: .proxies)
    }
    if case .none = settings.proxy { return }
    guard settings.library.hasHTTPSProxy else { return }
    try set(CURLOPT_PROXY_SSLVERSION, settings.oldestTLS, needs: .minimumTLS)
    try trust(
      settings.authorities, file: CURLOPT_PROXY_CAINFO, folder: CURLOPT_PROXY_CAPATH, data: CURLOPT_PROXY_CAINFO_BLOB)
  }

  private func trust(
    _ authorities: CurlAuthorities, file: CURLoption, folder: CURLoption, data: CURLoption
  ) throws(CurlTransport.SetupError) {
    switch authorities {
    case .defaults: return
    case .dataAndFolder(let content): return try set(data, content, needs: .customAuthorities)
    case .defaultFile: break
    case .file(let path): try set(file, path, needs: .customAuthorities)
    case .memory(let content): try set(file, content.path, needs: .customAuthorities)
    case .data(let content): try set(data, content, needs: .customAuthorities)
    }
    ccurl_set_string(handle, folder, nil)  // otherwise the system's folder would be trusted too
  }

  private func set(
    _ pem: CurlTransport.PEM, file: CURLoption, data: CURLoption
  ) throws(CurlTransport.SetupError) {
    switch pem {
    case .file(let url): try set(file, url.path, needs: .clientCertificates)
    case .data(let content): try set(data, content, needs: .clientCertificates)
    }
  }
}
#endif
