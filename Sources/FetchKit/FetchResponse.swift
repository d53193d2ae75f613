public import Foundation

/// A response with its body, and how it came.
public struct FetchResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The fields as received.
  public var headers: HTTPHeaders
  /// The body, decompressed.
  public var body: Data
  /// The method of the request that was answered: after redirects, of the last one.
  public var method: HTTPMethod
  /// The URL that answered: after redirects, the last one.
  public var url: URL
  /// The version of HTTP, where the transport knows it.
  public var version: ResponseHead.Version?
  /// The address of the peer, where the transport knows it.
  public var remoteAddress: String?
  /// Whether the certificate of the server was not verified, because the transport was told not to.
  public var isInsecure: Bool
  /// When the phases of the request that was answered had ended, counted from its start; not its redirects'.
  public var timings: TransportTimings
  /// The attempts that were made, the last of which gave this response.
  public var attempts: [Attempt]
  /// The redirects that led to it, in order.
  public var redirects: [Redirect]
  /// Where it came from.
  public var source: Source

  /// A response from its parts, for strategies under test.
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
  }
}

extension FetchResponse {
  /// Where a response came from: an open set.
  public struct Source: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// A source by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// From the server, by the transport.
    public static let network = Source(rawValue: "network")
    /// From the ``HTTPCache``, and still fresh: the server was not asked.
    public static let fresh = Source(rawValue: "fresh")
    /// From the ``HTTPCache``, after the server said that nothing has changed.
    public static let revalidated = Source(rawValue: "revalidated")
    /// From the ``HTTPCache`` and past its time: the response or the request allows it, or the server could not be
    /// reached.
    public static let stale = Source(rawValue: "stale")
    /// Made by the client: the status 504 that says that nothing is stored and the server was not to be asked.
    public static let generated = Source(rawValue: "generated")
  }
}

extension FetchResponse: CustomStringConvertible, CustomReflectable {
  /// Status, method, URL without the query's values, and size.
  public var description: String {
    "\(status) from \(method) \(Redactor.textWithoutQuery(of: url)), \(body.count) bytes"
  }

  /// The parts, the URL as ``description`` shows it, so that `dump` gives away no more.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "response": description, "headers": headers, "timings": timings, "attempts": attempts, "redirects": redirects,
        "source": source.rawValue,
      ])
  }
}
