internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension TransportError {
  /// What URLSession's error means, given whether a response had begun.
  ///
  /// On Linux several faults share code -1 (unknown): with a response, the body was cut short; without one, the head
  /// could not be read or, over https, TLS failed.
  init(_ error: any Error, hadResponse: Bool, isSecure: Bool) {
    guard let error = error as? URLError else {
      self = .connection(.lost, detail: "URLSession failed with \(type(of: error))")
      return
    }
    let detail = "URLSession code \(error.errorCode)"
    switch error.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = hadResponse ? .timeout(.idle) : .timeout(.connect)
    case .cannotConnectToHost, .notConnectedToInternet: self = .connection(.refused, detail: detail)
    case .cannotFindHost, .dnsLookupFailed: self = .connection(.nameNotResolved, detail: detail)
    case .networkConnectionLost: self = .connection(.lost, detail: detail)
    case .badServerResponse where !hadResponse: self = .connection(.lost, detail: "no reply")
    case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
      self = .malformedResponse(reason: detail)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      self = .connection(.tls, detail: detail)
    case .badURL, .unsupportedURL: self = .invalidRequest(reason: "URLSession cannot send to this URL")
    case .unknown where hadResponse: self = .connection(.lost, detail: detail)
    case .unknown where isSecure: self = .connection(.tls, detail: detail)
    case .unknown: self = .malformedResponse(reason: detail)
    default: self = .connection(.lost, detail: detail)
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
