/// The error of ``withTimeout(_:_:_:)`` when the time runs out.
package struct TimeoutError: Error {}

/// Runs user code that may hang. The caller continues when the code ends, when the time runs out or when the caller is
/// cancelled, whichever comes first. The code is then cancelled but not awaited.
package func withTimeout<Value: Sendable>(
  _ timeout: Duration?, _ time: TimeSource, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let race = Race<Value>()
  let working = Task {
    do { race.finish(.success(try await work())) } catch { race.finish(.failure(error)) }
  }
  let alarm = timeout.map { timeout in
    Task {
      guard (try? await time.sleep(timeout)) != nil else { return }
      race.finish(.failure(TimeoutError()))
    }
  }
  defer {
    working.cancel()
    alarm?.cancel()
  }
  return try await withTaskCancellationHandler {
    await withCheckedContinuation { race.wait($0) }
  } onCancel: {
    race.finish(.failure(CancellationError()))
  }.get()
}

private final class Race<Value: Sendable>: Sendable {
  private struct State {
    var waiter: CheckedContinuation<Result<Value, any Error>, Never>?
    var result: Result<Value, any Error>?
  }

  private let state = Lock(State())

  func wait(_ waiter: CheckedContinuation<Result<Value, any Error>, Never>) {
    let result = state.withLock { state in
      if state.result == nil { state.waiter = waiter }
      return state.result
    }
    if let result { waiter.resume(returning: result) }
  }

  func finish(_ result: Result<Value, any Error>) {
    let waiter = state.withLock { state -> CheckedContinuation<Result<Value, any Error>, Never>? in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: result)
  }
}
