internal import Foundation

/// Fetches values over HTTP.
///
/// ```swift
/// let client = FetchClient { $0.redactedQueryItems = ["api_key"] }
/// let movie = try await client.fetch(MovieDB.movie(id: 275), .json(Movie.self))
/// let task = client.fetch(url, .json(Double.self, at: "results[0].popularity")) { result in … }
/// task.cancel()
/// ```
///
/// A client is made once and used from anywhere; it holds its transport's connections for as long as it lives. Every
/// fetch ends exactly once, with a value or a ``FetchError``. A status outside 200–299 is an error unless configured
/// otherwise.
public final class FetchClient: Sendable {
  /// How the client was configured.
  public let configuration: Configuration
  let pipeline: Pipeline

  /// A client with a configuration of its own, changed in the closure.
  public init(_ configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration()
    configure(&configuration)
    self.configuration = configuration
    pipeline = Pipeline(configuration)
  }

  /// Fetches and makes a value of the response.
  ///
  /// - Throws: The one ``FetchError`` that ended it. Cancelling the task throws ``FetchError/cancelled(_:)``.
  public func fetch<Value>(
    _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>
  ) async throws(FetchError) -> Value {
    try await pipeline.value(of: request.httpRequest(), strategy)
  }

  /// Fetches and hands the outcome to a callback.
  ///
  /// ```swift
  /// client.fetch(url, .string) { @MainActor [weak self] result in self?.show(result) }
  /// ```
  ///
  /// - Parameters:
  ///   - request: What to fetch.
  ///   - strategy: What to make of the response.
  ///   - callback: Called exactly once, on every path, in its own isolation and never before this method returns to a
  ///     caller in that isolation. After ``FetchTask/cancel()`` from there it is told nothing but the cancellation.
  /// - Returns: What cancels the fetch. Letting go of it does not.
  @discardableResult
  public func fetch<Value>(
    _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>,
    callback: @escaping @isolated(any) @Sendable (Result<Value, FetchError>) -> Void
  ) -> FetchTask {
    FetchTask.start(callback) { () async throws(FetchError) -> Value in
      try await self.fetch(request, strategy)
    } cancelled: {
      // Only to name it: the error is that of the cancellation, whether or not there is a request.
      .cancelled(self.pipeline.context(of: try? request.httpRequest()))
    }
  }
}
