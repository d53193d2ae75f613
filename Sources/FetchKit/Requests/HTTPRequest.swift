public import Foundation

/// A request as you pass it to a client, before the client processes it. A client converts URLs and ``Endpoint`` values
/// to this type. Interceptors can then adapt the request.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The absolute URL, percent-encoded.
  public var url: URL
  /// The header fields of this request. The client adds header fields from its configuration unless this request
  /// already sets them.
  public var headers: HTTPHeaders
  /// The body.
  public var body: RequestBody
  /// The options that override the client's configuration.
  public var options: RequestOptions

  /// Creates a request with the given method, URL, header fields, body and options.
  public init(
    _ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: RequestBody = .none,
    options: RequestOptions = RequestOptions()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.options = options
  }
}

extension HTTPRequest {
  /// Appends items to the query of ``url``. Names and values are plain text and are percent-encoded like the
  /// ``Endpoint/queryItems`` of an endpoint. An item with a nil value is sent without `=`.
  public mutating func appendQuery(_ items: [URLQueryItem]) {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return }
    parts.appendQuery(items)
    url = parts.url ?? url
  }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the URL without its query values.
  public var description: String { "\(method) \(Redactor.textWithoutQuery(of: url))" }

  /// A mirror that contains the parts of the request except the body. The URL is shown as in ``description``, so that
  /// `dump` does not reveal query values.
  public var customMirror: Mirror {
    Mirror(self, children: ["request": description, "headers": headers, "options": options])
  }
}
