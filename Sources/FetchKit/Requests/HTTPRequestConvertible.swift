public import Foundation

/// What a client can fetch: a URL, its text, a ``HTTPRequest`` or an ``Endpoint``.
public protocol HTTPRequestConvertible: Sendable {
  /// The request.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` where none can be built.
  func httpRequest() throws(FetchError) -> HTTPRequest
}

extension HTTPRequest: HTTPRequestConvertible {
  /// The request itself.
  public func httpRequest() throws(FetchError) -> HTTPRequest { self }
}

extension URL: HTTPRequestConvertible {
  /// A GET of the URL.
  public func httpRequest() throws(FetchError) -> HTTPRequest { HTTPRequest(.get, self) }
}

extension String: HTTPRequestConvertible {
  /// A GET of the URL the text spells; it must be encoded already.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` where the text is not an absolute URL.
  public func httpRequest() throws(FetchError) -> HTTPRequest {
    guard let url = URL(string: self, encodingInvalidCharacters: false), url.scheme != nil else {
      throw .invalidRequest(reason: "the text is not an absolute URL", FetchError.Context(method: .get, url: nil))
    }
    return HTTPRequest(.get, url)
  }
}
