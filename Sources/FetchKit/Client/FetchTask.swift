/// A handle for cancelling a fetch that was started with a callback.
public final class FetchTask: Sendable {
  private enum State {
    case running(Task<Void, Never>?)
    case cancelled
    case delivered
  }

  private let state = Lock(State.running(nil))

  /// Cancels the fetch. The callback receives ``FetchError/cancelled(_:)`` unless a result is already being delivered.
  ///
  /// If the callback is not isolated to an actor, it can already be running on another thread when this method is
  /// called. In that case, this method has no effect, and ``isCancelled`` is false.
  public func cancel() {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard case .running(let task) = state else { return nil }
      state = .cancelled
      return task
    }
    task?.cancel()
  }

  /// Whether the fetch was cancelled before its result was delivered.
  public var isCancelled: Bool {
    state.withLock { if case .cancelled = $0 { true } else { false } }
  }

  /// - Parameters:
  ///   - work: Returns the result, and the request unless it could not be built.
  ///   - cancelled: Returns the error that replaces the result after ``cancel()``.
  static func start<Value: Sendable>(
    _ callback: @escaping @isolated(any) @Sendable (Result<Value, FetchError>) -> Void,
    _ work: @escaping @Sendable () async -> (Result<Value, FetchError>, sent: HTTPRequest?),
    cancelled: @escaping @Sendable (HTTPRequest?) -> FetchError
  ) -> FetchTask {
    let fetch = FetchTask()
    let task = Task {
      let (result, sent) = await work()
      await fetch.deliver(result, to: callback, isolation: callback.isolation) { cancelled(sent) }
    }
    fetch.started(task)
    return fetch
  }

  private func started(_ task: Task<Void, Never>) {
    state.withLock { if case .running = $0 { $0 = .running(task) } }
    if isCancelled { task.cancel() }
  }

  /// Decides in the callback's own isolation what to deliver. A result that is already on its way therefore cannot
  /// overtake a `cancel()` from that isolation.
  private func deliver<Value: Sendable>(
    _ result: Result<Value, FetchError>,
    to callback: @isolated(any) @Sendable (Result<Value, FetchError>) -> Void,
    isolation: isolated (any Actor)?, cancelled: () -> FetchError
  ) async {
    let isCancelled = state.withLock { state -> Bool in
      if case .cancelled = state { return true }
      state = .delivered
      return false
    }
    switch result {
    case .failure(.cancelled): await callback(result)
    case _ where isCancelled: await callback(.failure(cancelled()))
    default: await callback(result)
    }
  }
}
