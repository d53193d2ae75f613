internal import FetchKit

/// A value that tasks can wait on until it satisfies a condition.
final class Watched<State: Sendable>: Sendable {
  private struct Waiter {
    var number: Int
    var isMet: @Sendable (State) -> Bool
    var continuation: CheckedContinuation<State, Never>
  }

  private struct Storage {
    var state: State
    var waiters: [Waiter] = []
    var nextNumber = 0
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

  /// - Returns: The state that satisfies the condition, or the current state if the task is cancelled first.
  @discardableResult
  func wait(until isMet: @escaping @Sendable (State) -> Bool) async -> State {
    let number = storage.withLock { storage in
      storage.nextNumber += 1
      return storage.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let state: State? = storage.withLock { storage in
          // A task is marked as cancelled before its handler is called. If this check misses the cancellation, the
          // handler finds the waiter.
          if Task.isCancelled || isMet(storage.state) { return storage.state }
          storage.waiters.append(Waiter(number: number, isMet: isMet, continuation: continuation))
          return nil
        }
        if let state { continuation.resume(returning: state) }
      }
    } onCancel: {
      let (waiter, state) = storage.withLock { storage -> (Waiter?, State) in
        let index = storage.waiters.firstIndex { $0.number == number }
        return (index.map { storage.waiters.remove(at: $0) }, storage.state)
      }
      waiter?.continuation.resume(returning: state)
    }
  }
}
