internal import Foundation

/// A fetch as an operation: with dependencies, priorities and a queue's limits.
///
/// ```swift
/// let movie = FetchOperation(client, MovieDB.movie(id: 275), .json(Movie.self))
/// let show = BlockOperation { print(movie.result) }
/// show.addDependency(movie)
/// queue.addOperations([movie, show])
/// ```
///
/// Cancelling it cancels the request. It ends exactly once, with a value or a ``FetchError``. Its progress counts the
/// bytes of the request's body that have been sent; of a request without a body only that it succeeded.
///
/// `@unchecked Sendable`: what it stores is constant or behind a lock.
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

  /// A fetch that begins when the operation is started.
  public init(
    _ client: FetchClient, _ request: some HTTPRequestConvertible, _ strategy: ExtractionStrategy<Value>
  ) {
    self.client = client
    self.strategy = strategy
    self.request = { () throws(FetchError) in try request.httpRequest() }
    // Only to name it when it is cancelled before its start; what fails here is told when it is made in earnest.
    knownRequest = { try? request.httpRequest() }
    super.init()
  }

  /// A fetch whose request is made when the operation is started: of what its dependencies have found out.
  ///
  /// ```swift
  /// let details = FetchOperation(client, .json(Movie.self)) { () throws(FetchError) in
  ///   try MovieDB.movie(id: search.result?.get().first ?? 0).httpRequest()
  /// }
  /// details.addDependency(search)
  /// ```
  ///
  /// - Parameters:
  ///   - client: What fetches.
  ///   - strategy: What to make of the response.
  ///   - request: Called at most once. What it throws is the operation's result.
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

  /// What came of it; nil until the end.
  public var result: Result<Value, FetchError>? {
    guard isFinished else { return nil }
    return state.withLock { $0.result } ?? .failure(cancelled)
  }

  /// The value, once the operation has ended.
  ///
  /// - Throws: The one ``FetchError`` that ended it; ``FetchError/cancelled(_:)`` where it never began.
  public var value: Value {
    get async throws(FetchError) {
      await ended()
      guard let result else { throw cancelled }
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

  private var cancelled: FetchError {
    let request = knownRequest()
    let redactor = Redactor(
      queryItems: client.configuration.redactedQueryItems, headers: client.configuration.redactedHeaders)
    return .cancelled(FetchError.Context(method: request?.method ?? .get, url: request?.url, redactor: redactor))
  }
}
