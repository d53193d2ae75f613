public import Foundation

/// A type that can be converted to an ``HTTPRequest``, so that a client can fetch it. `URL`, `String`, ``HTTPRequest``
/// and all ``Endpoint`` types conform to this protocol.
public protocol HTTPRequestConvertible: Sendable {
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
  /// Returns a GET request for the URL in the string. The URL must be percent-encoded.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` if the string is not an absolute URL.
  public func httpRequest() throws(FetchError) -> HTTPRequest {
    guard let url = URL(string: self, encodingInvalidCharacters: false), url.scheme != nil else {
      throw .invalidRequest(reason: "the string is not an absolute URL", FetchError.Context(method: .get, url: nil))
    }
    return HTTPRequest(.get, url)
  }
}
