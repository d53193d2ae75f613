extension FetchClient {
  /// Fetches and hands out the body as it comes.
  ///
  /// Returns when the head is there. Everything up to then (status, redirects, retry) is as for a whole response; once
  /// the body has begun nothing is sent again. The body is asked for without compression.
  ///
  /// - Throws: The one ``FetchError`` that ended it before the body began; later ones are thrown by the iteration.
  public func stream(_ request: some HTTPRequestConvertible) async throws(FetchError) -> FetchStream {
    try await pipeline.stream(request.httpRequest())
  }
}
