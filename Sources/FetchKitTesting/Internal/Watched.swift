internal import FetchKit

/// A value that tasks can wait on until it fulfils a condition.
final class Watched<State: Sendable>: Sendable {
  private struct Waiter {
    var isMet: @Sendable (State) -> Bool
    var continuation: CheckedContinuation<State, Never>
  }

  private struct Storage {
    var state: State
    var waiters: [Waiter] = []
  }

  private let storage: Lock<Storage>

  init(_ state: State) {
    storage = Lock(Storage(state: state))
  }

  var value: State { storage.withLock { $0.state } }

  @discardableResult
  func update<Result>(_ change: (inout State) -> Result) -> Result {
    let (result, state, met) = storage.withLock { storage in
      let result = change(&storage.state)
      let state = storage.state
      let met = storage.waiters.filter { $0.isMet(state) }
      if !met.isEmpty { storage.waiters.removeAll { $0.isMet(state) } }
      return (result, state, met)
    }
    for waiter in met { waiter.continuation.resume(returning: state) }
    return result
  }

  @discardableResult
  func wait(until isMet: @escaping @Sendable (State) -> Bool) async -> State {
    await withCheckedContinuation { continuation in
      let state: State? = storage.withLock { storage in
        if isMet(storage.state) { return storage.state }
        storage.waiters.append(Waiter(isMet: isMet, continuation: continuation))
        return nil
      }
      if let state { continuation.resume(returning: state) }
    }
  }
}
