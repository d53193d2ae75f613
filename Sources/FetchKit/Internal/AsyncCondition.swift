/// A state that tasks wait for.
///
/// Tasks are resumed without the lock, and read the state under it.
package final class AsyncCondition<State>: Sendable {
  private struct Waiter {
    let id: Int
    let isMet: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Guarded {
    var state: State
    var waiters: [Waiter] = []
    var lastID = 0
  }

  private let guarded: Lock<Guarded>

  package init(_ state: sending State) {
    guarded = Lock(Guarded(state: state))
  }

  /// Changes or reads the state, and resumes the tasks for which it is now what they wait for.
  @discardableResult
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, met) = guarded.withLock { guarded in
      let result = body(&guarded.state)
      var met: [Waiter] = []
      var index = 0
      while index < guarded.waiters.count {
        if guarded.waiters[index].isMet(guarded.state) {
          met.append(guarded.waiters.remove(at: index))
        } else {
          index += 1
        }
      }
      return (result, met)
    }
    for waiter in met { waiter.continuation.resume() }
    return result
  }

  /// Returns when the state is as required, or when the task is cancelled.
  nonisolated(nonsending) package func wait(until isMet: @escaping @Sendable (State) -> Bool) async {
    let id = guarded.withLock { guarded -> Int? in
      if isMet(guarded.state) { return nil }
      guarded.lastID += 1
      return guarded.lastID
    }
    guard let id else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayGoOn = guarded.withLock { guarded in
          // A cancellation from here on finds the waiter.
          guard !isMet(guarded.state), !Task.isCancelled else { return true }
          guarded.waiters.append(Waiter(id: id, isMet: isMet, continuation: continuation))
          return false
        }
        if mayGoOn { continuation.resume() }
      }
    } onCancel: {
      guarded.withLock { guarded in
        guarded.waiters.firstIndex { $0.id == id }.map { guarded.waiters.remove(at: $0) }
      }?.continuation.resume()
    }
  }
}
