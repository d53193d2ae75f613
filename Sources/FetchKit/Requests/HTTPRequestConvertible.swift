public import Foundation

/// A type that can be converted to an ``HTTPRequest``, so that a client can fetch it. `URL`, `String`, ``HTTPRequest``
/// and all ``Endpoint`` types conform to this protocol.
nonisolated public protocol HTTPRequestConvertible: Sendable {
  /// Returns the request.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` if the request cannot be built.
  func httpRequest() throws(FetchError) -> HTTPRequest
}

extension HTTPRequest: HTTPRequestConvertible {
  /// Returns the request itself.
  public func httpRequest() throws(FetchError) -> HTTPRequest { self }
}

extension URL: HTTPRequestConvertible {
  /// Returns a GET request for the URL.
  public func httpRequest() throws(FetchError) -> HTTPRequest { HTTPRequest(.get, self) }
}

extension String: HTTPRequestConvertible {
  /// Returns a GET request for the URL in the string, which is read as a browser reads it. Characters that a URL must
  /// not contain, such as spaces, brackets, `|`, `^` and non-ASCII letters, are percent-encoded, and so is a `%` that
  /// does not begin an escape. Escapes are never encoded again. Whitespace around the URL is ignored.
  ///
  /// A `+`, `&`, `=`, `#` or `?` keeps its meaning. If a value can contain one of them, use an ``Endpoint``.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` if the string is not an absolute URL.
  public func httpRequest() throws(FetchError) -> HTTPRequest {
    let url = URL(string: self, encodingInvalidCharacters: false) ?? URL(addressBar: self)
    guard let url, url.scheme != nil else {
      throw .invalidRequest(reason: "the string is not an absolute URL", FetchError.Context(method: .get, url: nil))
    }
    return HTTPRequest(.get, url)
  }
}
