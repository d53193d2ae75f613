internal import Foundation

#if !canImport(Darwin)
internal import FoundationNetworking
#endif

extension TransportError {
  /// Converts an error of URLSession, depending on whether a response had begun.
  init(_ error: any Error, hadResponse: Bool, isSecure: Bool) {
    guard let error = error as? URLError else {
      self = .connection(.lost, detail: "URLSession failed with \(type(of: error))")
      return
    }
    #if !canImport(Darwin)
    self =
      Self.fromCurlText(error, hadResponse: hadResponse, isSecure: isSecure)
      ?? TransportError(byCode: error, hadResponse: hadResponse)
    #else
    self = TransportError(byCode: error, hadResponse: hadResponse)
    #endif
  }

  /// Converts an error by its code alone. Its text is in the user's language and serves only as a detail.
  init(byCode error: URLError, hadResponse: Bool) {
    let text = error.localizedDescription
    switch error.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = hadResponse ? .timeout(.idle) : .timeout(.connect)
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
      // After the head of a response, the request was sent.
      self = .connection(hadResponse ? .lost : .offline, detail: text)
    case .cannotConnectToHost: self = .connection(.refused, detail: text)
    case .cannotFindHost, .dnsLookupFailed: self = .connection(.nameNotResolved, detail: text)
    case .badServerResponse where !hadResponse: self = .connection(.lost, detail: text)
    case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
      .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete, .dataLengthExceedsMaximum,
      .httpTooManyRedirects, .redirectToNonExistentLocation:
      self = .malformedResponse(reason: text)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      self = .connection(.tls, detail: text)
    default: self = Self.beforeSending(error) ?? .connection(.lost, detail: text)
    }
  }

  /// The error of a request that cannot be sent as it is; nil for any other code.
  private static func beforeSending(_ error: URLError) -> TransportError? {
    switch error.code {
    case .badURL, .unsupportedURL: .invalidRequest(reason: "URLSession cannot send to this URL")
    case .appTransportSecurityRequiresSecureConnection:
      .invalidRequest(reason: "App Transport Security requires https; use it, or add an exception to Info.plist")
    case .userAuthenticationRequired, .userCancelledAuthentication:
      .invalidRequest(reason: "URLSession has no credentials for the server or the proxy")
    case .backgroundSessionRequiresSharedContainer, .backgroundSessionInUseByAnotherProcess:
      .invalidRequest(reason: "URLSession cannot send with this configuration")
    case .fileDoesNotExist: .requestBody(CocoaError(.fileReadNoSuchFile))
    case .noPermissionsToReadFile: .requestBody(CocoaError(.fileReadNoPermission))
    case .fileIsDirectory, .requestBodyStreamExhausted, .cannotCreateFile, .cannotOpenFile, .cannotCloseFile,
      .cannotWriteToFile, .cannotRemoveFile, .cannotMoveFile:
      .requestBody(error)
    default: nil
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
