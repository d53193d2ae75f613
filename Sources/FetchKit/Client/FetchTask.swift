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

  static func start<Value: Sendable>(
    _ callback: @escaping @isolated(any) @Sendable (Result<Value, FetchError>) -> Void,
    _ work: @escaping @Sendable () async throws(FetchError) -> Value,
    cancelled: @escaping @Sendable () -> FetchError
  ) -> FetchTask {
    let fetch = FetchTask()
    let task = Task {
      let result: Result<Value, FetchError>
      do throws(FetchError) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      await fetch.deliver(result, to: callback, isolation: callback.isolation, cancelled: cancelled)
    }
    fetch.started(task)
    return fetch
  }

  private func started(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state -> Bool in
      switch state {
      case .running:
        state = .running(task)
        return false
      case .cancelled: return true
      case .delivered: return false
      }
    }
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
