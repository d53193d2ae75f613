/// An endpoint that knows what its response becomes.
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
  /// What a fetch gives.
  associatedtype Value: Sendable
  /// How it is made of the response.
  var strategy: ExtractionStrategy<Value> { get }
}

extension FetchClient {
  /// Fetches an endpoint and makes of the response what the endpoint says.
  ///
  /// - Throws: The one ``FetchError`` that ended it.
  public func fetch<Request: TypedEndpoint>(_ endpoint: Request) async throws(FetchError) -> Request.Value {
    try await fetch(endpoint, endpoint.strategy)
  }

  /// Fetches an endpoint and hands what it says to a callback, called exactly once, in its own isolation.
  @discardableResult
  public func fetch<Request: TypedEndpoint>(
    _ endpoint: Request, callback: @escaping @isolated(any) @Sendable (Result<Request.Value, FetchError>) -> Void
  ) -> FetchTask {
    fetch(endpoint, endpoint.strategy, callback: callback)
  }
}
