public import Foundation

/// What a client can fetch: a URL, its text, a ``HTTPRequest`` or an ``Endpoint``.
public protocol FetchRequestConvertible: Sendable {
  /// The request.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` where none can be built.
  func fetchRequest() throws(FetchError) -> HTTPRequest
}

extension HTTPRequest: FetchRequestConvertible {
  /// The request itself.
  public func fetchRequest() throws(FetchError) -> HTTPRequest { self }
}

extension URL: FetchRequestConvertible {
  /// A GET of the URL.
  public func fetchRequest() throws(FetchError) -> HTTPRequest { HTTPRequest(.get, self) }
}

extension String: FetchRequestConvertible {
  /// A GET of the URL the text spells; it must be encoded already.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` where the text is not an absolute URL.
  public func fetchRequest() throws(FetchError) -> HTTPRequest {
    guard let url = URL(string: self, encodingInvalidCharacters: false), url.scheme != nil else {
      throw .invalidRequest(reason: "the text is not an absolute URL", FetchError.Context(method: .get, url: nil))
    }
    return HTTPRequest(.get, url)
  }
}
