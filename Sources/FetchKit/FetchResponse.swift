public import Foundation

/// A response with its body, and how it came.
public struct FetchResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The fields as received.
  public var headers: HTTPHeaders
  /// The body, decompressed.
  public var body: Data
  /// The method of the request.
  public var method: HTTPMethod
  /// The URL that answered: after redirects, the last one.
  public var url: URL
  /// The version of HTTP, where the transport knows it.
  public var version: ResponseHead.Version?
  /// The address of the peer, where the transport knows it.
  public var remoteAddress: String?
  /// Whether the certificate of the server was not verified, because the transport was told not to.
  public var isInsecure: Bool
  /// How long the phases of the last attempt took.
  public var timings: TransportTimings
  /// The attempts that were made, the last of which gave this response.
  public var attempts: [Attempt]

  /// A response from its parts, for strategies under test.
  public init(
    status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data(), method: HTTPMethod = .get, url: URL
  ) {
    self.init(head: ResponseHead(status: status, headers: headers), body: body, method: method, url: url, attempts: [])
  }

  init(head: ResponseHead, body: Data, method: HTTPMethod, url: URL, attempts: [Attempt]) {
    status = head.status
    headers = head.headers
    self.body = body
    self.method = method
    self.url = url
    version = head.version
    remoteAddress = head.remoteAddress
    isInsecure = head.isInsecure
    timings = head.timings
    self.attempts = attempts
  }
}
