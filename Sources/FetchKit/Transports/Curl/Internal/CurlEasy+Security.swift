#if canImport(CLarderCurl)
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
    try need(.protocolRestriction, set(option, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS)))
  }

  /// Sets how the server and the client prove their identity.
  func apply(_ tls: CurlSettings.TLS, _ settings: CurlSettings) throws(CurlTransport.SetupError) {
    try need(.minimumTLS, set(CURLOPT_SSLVERSION, settings.oldestTLS))
    try trust(
      settings.authorities, file: CURLOPT_CAINFO, folder: CURLOPT_CAPATH, data: CURLOPT_CAINFO_BLOB)
    if tls.isInsecure {
      set(CURLOPT_SSL_VERIFYPEER, 0)
      set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    if let pins = tls.pins { try need(.publicKeyPinning, set(CURLOPT_PINNEDPUBLICKEY, pins)) }
    if let certificate = tls.certificate {
      try set(certificate.certificate, file: CURLOPT_SSLCERT, data: CURLOPT_SSLCERT_BLOB)
      try set(certificate.key, file: CURLOPT_SSLKEY, data: CURLOPT_SSLKEY_BLOB)
      if let passphrase = certificate.passphrase {
        try need(.clientCertificates, set(CURLOPT_KEYPASSWD, passphrase))
      }
    }
  }

  func applyProxy(_ settings: CurlSettings) throws(CurlTransport.SetupError) {
    switch settings.proxy {
    case .environment: break
    case .none: set(CURLOPT_PROXY, "")
    case .server(let url, let bypass):
      // If these were silently omitted, requests would bypass the proxy, or go through it against the configuration.
      try need(.proxies, set(CURLOPT_PROXY, url))
      try need(.proxies, set(CURLOPT_NOPROXY, bypass))
    }
    if case .none = settings.proxy { return }
    guard settings.library.hasHTTPSProxy else { return }
    try need(.minimumTLS, set(CURLOPT_PROXY_SSLVERSION, settings.oldestTLS))
    try trust(
      settings.authorities, file: CURLOPT_PROXY_CAINFO, folder: CURLOPT_PROXY_CAPATH, data: CURLOPT_PROXY_CAINFO_BLOB)
  }

  private func trust(
    _ authorities: CurlAuthorities, file: CURLoption, folder: CURLoption, data: CURLoption
  ) throws(CurlTransport.SetupError) {
    switch authorities {
    case .defaults: return
    case .dataAndFolder(let content): return try need(.customAuthorities, set(data, content))
    case .defaultFile: break
    case .file(let path): try need(.customAuthorities, set(file, path))
    case .memory(let content): try need(.customAuthorities, set(file, content.path))
    case .data(let content): try need(.customAuthorities, set(data, content))
    }
    ccurl_set_string(handle, folder, nil)  // otherwise the system's folder would be trusted too
  }

  private func set(
    _ pem: CurlTransport.PEM, file: CURLoption, data: CURLoption
  ) throws(CurlTransport.SetupError) {
    switch pem {
    case .file(let url): try need(.clientCertificates, set(file, url.path))
    case .data(let content): try need(.clientCertificates, set(data, content))
    }
  }
}
#endif
