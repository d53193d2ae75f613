internal import Foundation

extension Endpoint {
  /// Builds the request that the endpoint describes.
  ///
  /// - Throws: ``FetchError/invalidRequest(reason:_:)`` if the base URL is not absolute or if a path segment is `.` or
  ///   `..`, which would change the meaning of the path, or if ``queryItems`` throws an error. If ``body`` throws an
  ///   error, this method throws ``FetchError/requestBody(_:_:)`` with that error.
  public func httpRequest() throws(FetchError) -> HTTPRequest {
    let context = Self.context(method, baseURL)
    guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true), parts.scheme != nil,
      parts.host?.isEmpty == false
    else { throw .invalidRequest(reason: "the base URL is not absolute", context) }

    var segments = pathSegments[...]
    if segments.first == "" { segments = segments.dropFirst() }
    guard !segments.contains("."), !segments.contains("..") else {
      throw .invalidRequest(reason: "the path contains a dot segment", context)
    }
    if !segments.isEmpty {
      var root = parts.percentEncodedPath
      while root.hasSuffix("/") { root.removeLast() }
      parts.percentEncodedPath = root + "/" + segments.map(PercentEncoding.encode).joined(separator: "/")
    }
    do {
      parts.appendQuery(try queryItems)
    } catch {
      throw .invalidRequest(reason: "the query items could not be created: \(type(of: error))", context)
    }
    parts.fragment = nil
    guard let url = parts.url else { throw .invalidRequest(reason: "the parts do not form a valid URL", context) }
    do {
      return HTTPRequest(method, url, headers: headers, body: try body, options: options)
    } catch {
      throw .requestBody(error, Self.context(method, url))
    }
  }

  /// Without the query, because only a client knows which query items are secret.
  private static func context(_ method: HTTPMethod, _ url: URL) -> FetchError.Context {
    var context = FetchError.Context(method: method)
    context.url = Redactor.textWithoutQuery(of: url)
    return context
  }
}

extension URLComponents {
  /// Appends items, which are percent-encoded, to the query.
  mutating func appendQuery(_ items: [URLQueryItem]) {
    guard !items.isEmpty else { return }
    let own = items.map { item in
      PercentEncoding.encode(item.name) + (item.value.map { "=" + PercentEncoding.encode($0) } ?? "")
    }
    let base = percentEncodedQuery.flatMap { $0.isEmpty ? nil : [$0] } ?? []
    percentEncodedQuery = (base + own).joined(separator: "&")
  }
}
