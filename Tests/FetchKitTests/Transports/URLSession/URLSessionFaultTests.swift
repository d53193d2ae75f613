import Foundation
import Testing

@testable import FetchKit

/// Every code of URLSession's errors, by its meaning on Apple's platforms, where no text is read.
@Suite struct URLSessionFaultTests {
  /// What an error becomes before and after the head of a response has arrived, as ``name(of:)`` writes it.
  struct Row: Sendable, CustomTestStringConvertible {
    let codes: [URLError.Code]
    let before: String
    let after: String

    init(_ codes: [URLError.Code], _ before: String, after: String? = nil) {
      self.codes = codes
      self.before = before
      self.after = after ?? before
    }

    var testDescription: String { "\(before): \(codes.map(\.rawValue))" }
  }

  static let rows: [Row] = [
    Row([.cancelled], "cancelled"),
    Row([.timedOut], "timeout connect", after: "timeout idle"),
    Row(
      [.notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive], "connection offline",
      after: "connection lost"),
    Row([.cannotConnectToHost], "connection refused"),
    Row([.cannotFindHost, .dnsLookupFailed], "connection nameNotResolved"),
    Row(
      [
        .unknown, .networkConnectionLost, .resourceUnavailable, .zeroByteResource, .cannotLoadFromNetwork,
        .backgroundSessionWasDisconnected,
      ], "connection lost"),
    Row([.badServerResponse], "connection lost", after: "malformedResponse"),
    Row(
      [
        .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData, .downloadDecodingFailedMidStream,
        .downloadDecodingFailedToComplete, .dataLengthExceedsMaximum, .httpTooManyRedirects,
        .redirectToNonExistentLocation,
      ], "malformedResponse"),
    Row(
      [
        .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
        .clientCertificateRequired,
      ], "connection tls"),
    Row(
      [
        .badURL, .unsupportedURL, .appTransportSecurityRequiresSecureConnection, .userAuthenticationRequired,
        .userCancelledAuthentication, .backgroundSessionRequiresSharedContainer,
        .backgroundSessionInUseByAnotherProcess,
      ], "invalidRequest"),
    Row(
      [
        .fileDoesNotExist, .noPermissionsToReadFile, .fileIsDirectory, .requestBodyStreamExhausted, .cannotCreateFile,
        .cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile, .cannotMoveFile,
      ], "requestBody"),
  ]

  private static func name(of error: TransportError) -> String {
    switch error {
    case .invalidRequest: "invalidRequest"
    case .connection(let failure, _): "connection \(failure)"
    case .timeout(let phase): "timeout \(phase)"
    case .cancelled: "cancelled"
    case .tooLarge: "tooLarge"
    case .malformedResponse: "malformedResponse"
    case .requestBody: "requestBody"
    }
  }

  @Test(arguments: rows) func `the code of a URLSession error determines the transport error`(row: Row) {
    for code in row.codes {
      let before = TransportError(byCode: URLError(code), hadResponse: false)
      let after = TransportError(byCode: URLError(code), hadResponse: true)
      #expect(Self.name(of: before) == row.before, "\(code.rawValue)")
      #expect(Self.name(of: after) == row.after, "\(code.rawValue)")
    }
  }

  @Test func `the table of URLSession's error codes has every code once`() {
    let codes = Self.rows.flatMap(\.codes)
    #expect(codes.count == 48 && Set(codes).count == 48)
  }

  @Test(arguments: ["Could not connect to the proxy", "SSL", "transfer closed", "bad HTTP"])
  func `the text of a URLSession error does not change the meaning of its code`(text: String) {
    for code in Self.rows.flatMap(\.codes) {
      let plain = TransportError(byCode: URLError(code), hadResponse: false)
      let worded = TransportError(
        byCode: URLError(code, userInfo: [NSLocalizedDescriptionKey: text]), hadResponse: false)
      #expect(Self.name(of: plain) == Self.name(of: worded), "\(code.rawValue)")
    }
  }

  @Test func `being offline is retryable, and a block by App Transport Security is not`() {
    let context = FetchError.Context()
    func fetchError(_ code: URLError.Code) -> FetchError {
      FetchError(TransportError(byCode: URLError(code), hadResponse: false), context)
    }
    #expect(fetchError(.notConnectedToInternet).isRetryable && fetchError(.dataNotAllowed).isRetryable)
    #expect(!fetchError(.appTransportSecurityRequiresSecureConnection).isRetryable)
    #expect(fetchError(.appTransportSecurityRequiresSecureConnection).description.contains("https"))
    #expect(!fetchError(.fileDoesNotExist).isRetryable)
    #expect(fetchError(.fileDoesNotExist).description.contains("the file does not exist"))
  }

  #if canImport(FoundationNetworking)
  @Test func `libcurl's text decides if the code of a URLSession error is not specific`() {
    func name(_ code: URLError.Code, _ text: String, hadResponse: Bool = false, isSecure: Bool = false) -> String {
      let error = URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
      return Self.name(of: TransportError(error, hadResponse: hadResponse, isSecure: isSecure))
    }
    #expect(name(.unknown, "SSL certificate problem") == "connection tls")
    #expect(name(.unsupportedURL, "Unsupported proxy") == "connection proxy")
    #expect(name(.unknown, "transfer closed with 3 bytes left", hadResponse: true) == "connection lost")
    #expect(name(.unknown, "?") == "malformedResponse")
    #expect(name(.unknown, "?", isSecure: true) == "connection tls")
    #expect(name(.unknown, "?", hadResponse: true) == "connection lost")
    #expect(name(.unsupportedURL, "?") == "invalidRequest")
    #expect(name(.cannotFindHost, "SSL") == "connection nameNotResolved")
  }
  #endif
}
