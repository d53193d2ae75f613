internal import Foundation

extension FetchClient {
  /// Fetches and makes a value of the response, unless it is what it was.
  ///
  /// ```swift
  /// switch try await client.fetch(MovieDB.movie(id: 275), .json(Movie.self), ifChangedFrom: stored.version) {
  /// case .changed(let movie, let version): try await store(movie, version)
  /// case .unchanged: break
  /// }
  /// ```
  ///
  /// The server is asked conditionally (`If-None-Match`, `If-Modified-Since`: RFC 9110 §13.1) by what `version` holds,
  /// and a 304 is unchanged. A server that knows no conditions answers in full: then the digest of the body decides,
  /// and the strategy is not asked where it is the same. Conditions that the request itself has are left as they are.
  ///
  /// - Parameters:
  ///   - request: What to fetch.
  ///   - strategy: What to make of a response that is new.
  ///   - version: What was seen the last time; nil where nothing was, and everything is new.
  /// - Throws: The one ``FetchError`` that ended it. A 304 to a question that was not conditional is a
  ///   ``FetchError/status(_:_:)``.
  public func fetch<Value>(
    _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>,
    ifChangedFrom version: ResourceVersion?
  ) async throws(FetchError) -> ConditionalResult<Value> {
    var request = try request.httpRequest()
    if let tag = version?.entityTag, request.headers["If-None-Match"] == nil {
      request.headers["If-None-Match"] = tag
    }
    if let date = version?.lastModified, request.headers["If-Modified-Since"] == nil {
      request.headers["If-Modified-Since"] = date
    }
    do throws(FetchError) {
      return try await fetch(
        request,
        ExtractionStrategy { response in
          let seen = ResourceVersion(of: response)
          if seen.digest == version?.digest { return .unchanged(seen) }
          return .changed(try strategy.extract(response), seen)
        })
    } catch {
      guard case .status(let failure, _) = error, failure.status == 304, var seen = version else { throw error }
      seen.entityTag = failure.headers["ETag"] ?? seen.entityTag
      seen.lastModified = failure.headers["Last-Modified"] ?? seen.lastModified
      return .unchanged(seen)
    }
  }
}
