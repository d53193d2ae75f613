internal import Foundation

/// A client that fetches values over HTTP.
///
/// ```swift
/// let client = FetchClient { $0.redactedQueryItems = ["api_key"] }
/// let movie = try await client.fetch(MovieDB.movie(id: 275), .json(Movie.self))
/// let task = client.fetch(url, .json(Double.self, at: "popularity")) { result in
///   …
/// }
/// task.cancel()
/// ```
///
/// Create a client once and use it from any thread. It retains its transport, and therefore the transport's
/// connections, for its whole lifetime. Every fetch ends exactly once, with a value or a ``FetchError``. A status code
/// outside 200–299 is an error unless configured otherwise.
public final class FetchClient: Sendable {
  /// The client's configuration.
  public let configuration: Configuration
  let pipeline: Pipeline

  /// Creates a client. The closure can change the default configuration.
  public init(_ configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration()
    configure(&configuration)
    self.configuration = configuration
    pipeline = Pipeline(configuration)
  }

  /// Performs a request and extracts a value from the response.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch. Cancelling the task throws ``FetchError/cancelled(_:)``.
  public func fetch<Value>(
    _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>
  ) async throws(FetchError) -> Value {
    try await pipeline.value(of: request.httpRequest(), strategy)
  }

  /// Performs a request and passes the result to a callback.
  ///
  /// ```swift
  /// client.fetch(url, .string) { @MainActor [weak self] result in
  ///   self?.show(result)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request to fetch.
  ///   - strategy: The strategy that extracts the value from the response.
  ///   - callback: A closure that is called exactly once, regardless of the outcome, in its own isolation. If the
  ///     caller has the same isolation, the callback is not called before this method returns. If
  ///     ``FetchTask/cancel()`` is called from that isolation first, the callback receives only the cancellation.
  /// - Returns: A handle that cancels the fetch. Releasing the handle does not cancel it.
  @discardableResult
  public func fetch<Value>(
    _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>,
    callback: @escaping @isolated(any) @Sendable (Result<Value, FetchError>) -> Void
  ) -> FetchTask {
    FetchTask.start(callback) { () async throws(FetchError) -> Value in
      try await self.fetch(request, strategy)
    } cancelled: {
      // Only for the error's context. The result is a cancellation error even if the request cannot be built.
      .cancelled(self.pipeline.context(of: try? request.httpRequest()))
    }
  }
}
