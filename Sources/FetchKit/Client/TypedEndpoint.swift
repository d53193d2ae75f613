/// An endpoint that defines the type of its response.
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
public protocol TypedEndpoint: Endpoint {
  /// The type of the value that a fetch returns.
  associatedtype Value: Sendable
  /// The strategy that extracts the value from the response.
  var strategy: ExtractionStrategy<Value> { get }
}

extension FetchClient {
  /// Fetches an endpoint and uses its strategy to extract a value from the response.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch.
  public func fetch<Request: TypedEndpoint>(_ endpoint: Request) async throws(FetchError) -> Request.Value {
    try await fetch(endpoint, endpoint.strategy)
  }

  /// Fetches an endpoint and passes the result to a callback. The callback is called exactly once, in its own
  /// isolation.
  @discardableResult
  public func fetch<Request: TypedEndpoint>(
    _ endpoint: Request, callback: @escaping @isolated(any) @Sendable (Result<Request.Value, FetchError>) -> Void
  ) -> FetchTask {
    fetch(endpoint, endpoint.strategy, callback: callback)
  }
}
