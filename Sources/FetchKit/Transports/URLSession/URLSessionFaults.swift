internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension TransportError {
  /// What URLSession's error means, given whether a response had begun.
  ///
  /// On Linux many faults share code -1 (unknown) and others have a code that misleads; the text, which is libcurl's,
  /// tells them apart.
  init(_ error: any Error, hadResponse: Bool, isSecure: Bool) {
    guard let error = error as? URLError else {
      self = .connection(.lost, detail: "URLSession failed with \(type(of: error))")
      return
    }
    let text = error.localizedDescription
    switch error.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = hadResponse ? .timeout(.idle) : .timeout(.connect)
    case .cannotConnectToHost, .notConnectedToInternet: self = .connection(.refused, detail: text)
    case .cannotFindHost, .dnsLookupFailed: self = .connection(.nameNotResolved, detail: text)
    case .networkConnectionLost: self = .connection(.lost, detail: text)
    case .badServerResponse where !hadResponse: self = .connection(.lost, detail: text)
    case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
      self = .malformedResponse(reason: text)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      self = .connection(.tls, detail: text)
    default: self = Self.byText(text) ?? Self.byCode(error.code, text, hadResponse: hadResponse, isSecure: isSecure)
    }
  }

  private static func byText(_ text: String) -> TransportError? {
    func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
    // The text could quote the proxy's address with its password.
    if says("proxy", "Proxy", "SOCKS") { return .connection(.proxy, detail: "") }
    if says("SSL", "TLS", "certificate") { return .connection(.tls, detail: text) }
    if says("resolve host") { return .connection(.nameNotResolved, detail: text) }
    if says("connect to") { return .connection(.refused, detail: text) }
    if says("transfer closed", "Recv failure", "Send failure", "reset by peer", "Broken pipe", "end of response") {
      return .connection(.lost, detail: text)
    }
    if says("HTTP/0.9", "eader", "chunked-encoding", "bad HTTP", "content encoding", "server reply", "decod") {
      return .malformedResponse(reason: text)
    }
    return nil
  }

  private static func byCode(
    _ code: URLError.Code, _ text: String, hadResponse: Bool, isSecure: Bool
  ) -> TransportError {
    switch code {
    case .badURL, .unsupportedURL: .invalidRequest(reason: "URLSession cannot send to this URL")
    case .unknown where !hadResponse && isSecure: .connection(.tls, detail: text)
    case .unknown where !hadResponse: .malformedResponse(reason: text)
    default: .connection(.lost, detail: text)
    }
  }
}

extension ResponseHead {
  init(_ response: HTTPURLResponse) {
    var headers = HTTPHeaders()
    headers.reserveCapacity(response.allHeaderFields.count)
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers.append(value, for: name) }
    }
    self.init(status: response.statusCode, headers: headers)
  }
}
