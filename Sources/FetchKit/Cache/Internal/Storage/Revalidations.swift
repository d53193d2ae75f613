/// The validations running in the background, at most one per stored response.
final class Revalidations: Sendable {
  private struct State {
    var keys: Set<String> = []
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// Starts the work in a separate task, unless work for the key is already running.
  func start(_ key: String, _ work: @escaping @Sendable () async -> Void) {
    guard state.withLock({ $0.keys.insert(key).inserted }) else { return }
    Task(priority: .utility) {
      await work()
      let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        state.keys.remove(key)
        guard state.keys.isEmpty else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for waiter in waiting { waiter.resume() }
    }
  }

  /// Returns when no validation is running.
  func waitUntilIdle() async {
    await withCheckedContinuation { waiter in
      let isSettled = state.withLock { state in
        if !state.keys.isEmpty { state.waiting.append(waiter) }
        return state.keys.isEmpty
      }
      if isSettled { waiter.resume() }
    }
  }
}
