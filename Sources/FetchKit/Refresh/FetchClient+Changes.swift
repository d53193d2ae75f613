internal import Foundation

extension FetchClient {
  /// Performs a request and extracts a value from the response if the resource has changed.
  ///
  /// ```swift
  /// let result = try await client.fetch(
  ///   MovieDB.movie(id: 275), .json(Movie.self), ifChangedFrom: stored.version)
  /// switch result {
  /// case .changed(let movie, let version): try await store(movie, version)
  /// case .unchanged: break
  /// }
  /// ```
  ///
  /// The values in `version` are sent as `If-None-Match` and `If-Modified-Since` (RFC 9110 §13.1). If the request
  /// already contains one of these header fields, that field is not replaced. A 304 response means that the resource
  /// has not changed. If the server ignores the conditions and sends a full response, the digest of the response body
  /// is compared with the digest in `version`. If the digests match, the resource has not changed, and the strategy is
  /// not called.
  ///
  /// - Parameters:
  ///   - request: The request to fetch.
  ///   - strategy: The strategy that extracts the value from the response if the resource has changed.
  ///   - version: The version from the previous fetch, or nil if there is none. If nil, the resource always counts as
  ///     changed.
  /// - Throws: The ``FetchError`` that ended the fetch. If `version` is nil, a 304 response is reported as
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
