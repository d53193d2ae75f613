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
/// Create a client once and reuse it. You can use the client from any thread. The client retains its transport, so the
/// transport's connections can be reused for as long as the client exists. Every fetch ends exactly once, with a value
/// or a ``FetchError``. By default, a status code outside 200–299 is an error.
public final class FetchClient: Sendable {
  /// The client's configuration.
  public let configuration: Configuration
  let pipeline: Pipeline

  /// Creates a client. Use the closure to change the default configuration.
  public init(_ configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration()
    configure(&configuration)
    self.configuration = configuration
    pipeline = Pipeline(configuration)
  }

  /// Sends a request and extracts a value from the response.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch. If the task is cancelled, the error is
  ///   ``FetchError/cancelled(_:)``.
  public func fetch<Value>(
    _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>
  ) async throws(FetchError) -> Value {
    try await pipeline.value(of: request.httpRequest(), strategy)
  }

  /// Sends a request and passes the extracted value or the error to a callback.
  ///
  /// ```swift
  /// client.fetch(url, .string) { @MainActor [weak self] result in
  ///   self?.show(result)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - strategy: The strategy that extracts the value from the response.
  ///   - callback: A closure that is called exactly once, whether the fetch succeeds, fails or is cancelled. The
  ///     closure runs in its own isolation. If the caller has the same isolation, the closure is not called before this
  ///     method returns. If code with the same isolation calls ``FetchTask/cancel()`` before the closure is called, the
  ///     closure receives ``FetchError/cancelled(_:)``.
  /// - Returns: A handle that can cancel the fetch. Releasing the handle does not cancel the fetch.
  @discardableResult
  public func fetch<Value>(
    _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>,
    callback: @escaping @isolated(any) @Sendable (Result<Value, FetchError>) -> Void
  ) -> FetchTask {
    FetchTask.start(callback) { [pipeline] in
      var sent: HTTPRequest?
      do throws(FetchError) {
        let request = try request.httpRequest()
        sent = request
        return (.success(try await pipeline.value(of: request, strategy)), sent)
      } catch {
        return (.failure(error), sent)
      }
    } cancelled: { [pipeline] sent in
      .cancelled(pipeline.context(of: sent))
    }
  }
}
