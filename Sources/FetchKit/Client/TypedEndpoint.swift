/// An endpoint that also defines how a value is extracted from its response.
///
/// ```swift
/// struct Rating: TypedEndpoint {
///   var id: Int64
///   var baseURL: URL { MovieDB.root }
///   var path: String { "movie/\(id)" }
///   var strategy: ExtractionStrategy<Double> { .json(at: "vote_average") }
/// }
/// let rating = try await client.fetch(Rating(id: 275))
/// ```
nonisolated public protocol TypedEndpoint: Endpoint {
  /// The type of the value that is extracted from the response.
  associatedtype Value: Sendable
  /// The strategy that extracts the value from the response.
  var strategy: ExtractionStrategy<Value> { get }
}

extension FetchClient {
  /// Sends an endpoint's request and uses the endpoint's strategy to extract a value from the response.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch.
  public func fetch<Request: TypedEndpoint>(_ endpoint: Request) async throws(FetchError) -> Request.Value {
    try await fetch(endpoint, endpoint.strategy)
  }

  /// Sends an endpoint's request and passes the extracted value or the error to a callback. The callback is called
  /// exactly once, in its own isolation.
  @discardableResult
  public func fetch<Request: TypedEndpoint>(
    _ endpoint: Request, callback: @escaping @isolated(any) @Sendable (Result<Request.Value, FetchError>) -> Void
  ) -> FetchTask {
    fetch(endpoint, endpoint.strategy, callback: callback)
  }
}
