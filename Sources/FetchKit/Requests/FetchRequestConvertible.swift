public import Foundation

/// What a client can fetch: a URL, its text, a ``FetchRequest`` or an ``Endpoint``.
public protocol FetchRequestConvertible: Sendable {
  /// The request.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` where none can be built.
  func fetchRequest() throws(FetchError) -> FetchRequest
}

extension FetchRequest: FetchRequestConvertible {
  /// The request itself.
  public func fetchRequest() throws(FetchError) -> FetchRequest { self }
}

extension URL: FetchRequestConvertible {
  /// A GET of the URL.
  public func fetchRequest() throws(FetchError) -> FetchRequest { FetchRequest(.get, self) }
}

extension String: FetchRequestConvertible {
  /// A GET of the URL the text spells; it must be encoded already.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` where the text is not an absolute URL.
  public func fetchRequest() throws(FetchError) -> FetchRequest {
    guard let url = URL(string: self, encodingInvalidCharacters: false), url.scheme != nil else {
      throw .invalidRequest(reason: "the text is not an absolute URL", FetchError.Context(method: .get, url: nil))
    }
    return FetchRequest(.get, url)
  }
}
