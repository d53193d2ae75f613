internal import Foundation

/// An operation that performs a fetch. Use it to run fetches in an operation queue, with dependencies, priorities and a
/// concurrency limit.
///
/// ```swift
/// let movie = FetchOperation(client, MovieDB.movie(id: 275), .json(Movie.self))
/// let show = BlockOperation { print(movie.result) }
/// show.addDependency(movie)
/// queue.addOperations([movie, show])
/// ```
///
/// Cancelling the operation cancels the request. The operation ends exactly once, with a value or a ``FetchError``.
/// ``AsyncOperation/progress`` counts the bytes of the request body that have been sent. If the request has no body,
/// the progress is 0 of 1 during the fetch and 1 of 1 after the fetch has succeeded.
///
/// The class is `@unchecked Sendable` because its stored properties are constant or protected by a lock.
public final class FetchOperation<Value: Sendable>: AsyncOperation, @unchecked Sendable {
  private struct State {
    var task: FetchTask?
    var result: Result<Value, FetchError>?
  }

  private let client: FetchClient
  private let strategy: ExtractionStrategy<Value>
  private let request: @Sendable () throws(FetchError) -> HTTPRequest
  private let knownRequest: @Sendable () -> HTTPRequest?
  private let state = Lock(State())

  /// Creates an operation that fetches the given request when the operation starts.
  public init(
    _ client: FetchClient, _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>
  ) {
    self.client = client
    self.strategy = strategy
    self.request = { () throws(FetchError) in try request.httpRequest() }
    // Only for the error of a cancellation before the start. Errors thrown here are reported when the operation runs.
    knownRequest = { try? request.httpRequest() }
    super.init()
  }

  /// Creates an operation that builds its request when it starts, for example from the results of its dependencies.
  ///
  /// ```swift
  /// let details = FetchOperation(client, .json(Movie.self)) {
  ///   () throws(FetchError) in
  ///   try MovieDB.movie(id: search.result?.get().first ?? 0).httpRequest()
  /// }
  /// details.addDependency(search)
  /// ```
  ///
  /// - Parameters:
  ///   - client: The client that performs the fetch.
  ///   - strategy: The strategy that extracts the value from the response.
  ///   - request: A function that creates the request. The operation calls this function at most once. If the function
  ///     throws an error, the operation ends with that error.
  public init(
    _ client: FetchClient, _ strategy: ExtractionStrategy<Value>,
    request: @escaping @Sendable () throws(FetchError) -> HTTPRequest
  ) {
    self.client = client
    self.strategy = strategy
    self.request = request
    knownRequest = { nil }
    super.init()
  }

  /// The result of the fetch, or nil if the operation has not ended yet.
  public var result: Result<Value, FetchError>? {
    guard isFinished else { return nil }
    return state.withLock { $0.result } ?? .failure(cancellation)
  }

  /// The value that was fetched. Reading this property waits until the operation has ended.
  ///
  /// - Throws: The ``FetchError`` that ended the fetch, or ``FetchError/cancelled(_:)`` if the fetch never began.
  public var value: Value {
    get async throws(FetchError) {
      await waitForCompletion()
      guard let result else { throw cancellation }
      return try result.get()
    }
  }

  /// Starts the fetch.
  public override func execute() {
    do throws(FetchError) {
      let task = client.fetch(reporting(try request()), strategy) { result in self.end(result) }
      state.withLock { $0.task = task }
    } catch {
      end(.failure(error))
    }
  }

  /// Cancels the fetch.
  public override func didCancel() {
    state.withLock { $0.task }?.cancel()
  }

  private func reporting(_ request: HTTPRequest) -> HTTPRequest {
    guard !request.body.isEmpty else {
      report(OperationProgress(completed: 0, total: 1))
      return request
    }
    var request = request
    request.options.uploadProgress = { [weak self, tell = request.options.uploadProgress] sent, total in
      self?.report(OperationProgress(completed: sent, total: total))
      tell?(sent, total)
    }
    return request
  }

  private func end(_ result: Result<Value, FetchError>) {
    state.withLock { state in
      state.result = result
      state.task = nil
    }
    if case .success = result, progress.total == 1 { report(OperationProgress(completed: 1, total: 1)) }
    finish()
  }

  /// Not `cancelled`, which is a property of `NSOperation` in Objective-C.
  private var cancellation: FetchError {
    .cancelled(client.pipeline.context(of: knownRequest()))
  }
}
