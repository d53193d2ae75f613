extension FetchClient {
  /// Performs a request and returns the response body as a stream.
  ///
  /// This method returns when the response head has been received. Until then, status codes, redirects and retries are
  /// handled as they are for a complete response. Once the body has begun, the request is never retried. The client
  /// requests the body uncompressed.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch before the body began. Later errors are thrown during iteration.
  public func stream(_ request: some HTTPRequestConvertible) async throws(FetchError) -> FetchStream {
    try await pipeline.stream(request.httpRequest())
  }
}
