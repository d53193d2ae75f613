public import Foundation

/// A request before the client works on it: what a URL or an ``Endpoint`` becomes, and what interceptors adapt.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The absolute URL, percent-encoded.
  public var url: URL
  /// The fields of this request; those of the client's configuration are added where a name is missing here.
  public var headers: HTTPHeaders
  /// The body.
  public var body: RequestBody
  /// What this request wants otherwise than the client's configuration says.
  public var options: RequestOptions
  /// The credentials that each authenticator put on it.
  var marks: [ObjectIdentifier: AuthenticationMark] = [:]
  /// How often the interceptor that is asked has had it sent again.
  var interceptorRetries = 0

  /// A request from its parts.
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

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  /// Method and URL, without the query's values.
  public var description: String { "\(method) \(Redactor.textWithoutQuery(of: url))" }

  /// The parts but the body, the URL as ``description`` shows it, so that `dump` gives away no more.
  public var customMirror: Mirror {
    Mirror(self, children: ["request": description, "headers": headers, "options": options])
  }
}
