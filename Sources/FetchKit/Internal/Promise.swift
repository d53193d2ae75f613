/// A value that one task waits for and others set. The first one counts, also if it comes before the wait.
///
/// The value is taken under the lock: on Linux the thread sanitizer does not see that a continuation orders its two
/// sides.
final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case open(CheckedContinuation<Void, Never>?)
    case set(Value)
    case taken
  }

  private let state = Lock(State.open(nil))

  func set(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard case .open(let waiter) = state else { return nil }
      state = .set(value)
      return waiter
    }
    waiter?.resume()
  }

  /// Returns the value, which is not kept. Called once.
  nonisolated(nonsending) func take() async -> Value {
    await withCheckedContinuation { waiter in
      let isSet = state.withLock { state in
        guard case .open = state else { return true }
        state = .open(waiter)
        return false
      }
      if isSet { waiter.resume() }
    }
    return state.withLock { state in
      guard case .set(let value) = state else { preconditionFailure("a value was taken twice") }
      state = .taken
      return value
    }
  }
}

/// Why a wait ends before its value comes.
enum WaitError: Error {
  case cancelled
  case timeout
}

extension Promise {
  /// Returns the value. Calls the function when the time is over, or the task or the fetch is cancelled, unless the
  /// value has come by then. The function makes sure that a value is set.
  nonisolated(nonsending) func take(
    within timeout: Duration?, _ time: TimeSource, _ open: OpenFetch? = nil,
    orEnd end: @escaping @Sendable (WaitError) -> Void
  ) async -> Value {
    let alarm = timeout.map { time.after($0) { end(.timeout) } }
    defer { alarm?.cancel() }
    let isOpen = open?.wait.ends { end(.cancelled) } ?? true
    if !isOpen { end(.cancelled) }
    return await withTaskCancellationHandler {
      await take()
    } onCancel: {
      end(.cancelled)
    }
  }
}
