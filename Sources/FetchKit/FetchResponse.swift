public import Foundation

/// A response with its status code, header fields and body, and with information about how the client obtained it.
public struct FetchResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields as received.
  public var headers: HTTPHeaders
  /// The body, decompressed.
  public var body: Data
  /// The method of the request that produced the response. If redirects were followed, this is the method of the last
  /// request.
  public var method: HTTPMethod
  /// The URL of the request that produced the response. If redirects were followed, this is the URL of the last
  /// request.
  public var url: URL
  /// The HTTP version, or nil if the transport does not report it.
  public var version: ResponseHead.Version?
  /// The IP address of the server or proxy that the transport was connected to, or nil if the transport does not report
  /// it.
  public var remoteAddress: String?
  /// Whether verification of the server's certificate was turned off in the transport's configuration.
  public var isInsecure: Bool
  /// The times at which the phases of the request ended, measured from the start of the request. If redirects were
  /// followed, only the last request is measured.
  public var timings: TransportTimings
  /// The attempts that were made, in order. The last attempt produced this response.
  public var attempts: [Attempt]
  /// The redirects that were followed, in order.
  public var redirects: [Redirect]
  /// The source of the response, which is usually the network or the cache.
  public var source: Source
  /// The content coding that the transport has removed from the body.
  let codingRemoved: String?

  /// Creates a response. Use this initializer to test an extraction strategy.
  public init(
    status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data(), method: HTTPMethod = .get, url: URL
  ) {
    self.init(head: ResponseHead(status: status, headers: headers), body: body, method: method, url: url)
  }

  init(
    head: ResponseHead, body: Data, method: HTTPMethod, url: URL, attempts: [Attempt] = [], redirects: [Redirect] = [],
    source: Source = .network
  ) {
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
    self.redirects = redirects
    self.source = source
    codingRemoved = head.codingRemoved
  }
}

extension FetchResponse {
  /// The source of a response. Because a source can have any name, a `switch` over sources needs a `default` case.
  public struct Source: RawRepresentable, Sendable, Hashable {
    /// The name of the source.
    public let rawValue: String

    /// Creates a source from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The response came from the server, through the transport.
    public static let network = Source(rawValue: "network")
    /// The response came from the ``HTTPCache`` and was still fresh. The server was not contacted.
    public static let fresh = Source(rawValue: "fresh")
    /// The response came from the ``HTTPCache`` after the server had confirmed that it was unchanged.
    public static let revalidated = Source(rawValue: "revalidated")
    /// The response came from the ``HTTPCache`` although it was stale, because the response or the request permitted
    /// the use of stale responses, or because the server could not be reached.
    public static let stale = Source(rawValue: "stale")
    /// The client created a response with status code 504 because the cache contained no usable response and the
    /// request did not permit the client to contact the server.
    public static let generated = Source(rawValue: "generated")
  }
}

extension FetchResponse: CustomStringConvertible, CustomReflectable {
  /// A one-line description that contains the status code, the method, the URL without query values, and the size of
  /// the body.
  public var description: String {
    "\(status) from \(method) \(Redactor.textWithoutQuery(of: url)), \(body.count) bytes"
  }

  /// A mirror of the response that shows the URL as in ``description``, so that `dump` does not reveal query values.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "response": description, "headers": headers, "timings": timings, "attempts": attempts, "redirects": redirects,
        "source": source.rawValue,
      ])
  }
}
