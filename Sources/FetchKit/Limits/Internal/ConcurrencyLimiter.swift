/// Admits requests as ``ConcurrencyLimiterState`` decides. Waiting ends with a turn, a timeout or a cancellation.
final class ConcurrencyLimiter: Sendable {
  private typealias Waiter = Promise<Result<Void, WaitError>>

  private struct Guarded {
    var state: ConcurrencyLimiterState
    var waiters: [ConcurrencyLimiterState.Ticket: Waiter] = [:]
  }

  private let guarded: Lock<Guarded>
  private let time: TimeSource

  init(_ limits: ConcurrencyLimits, _ time: TimeSource) {
    guarded = Lock(Guarded(state: ConcurrencyLimiterState(limits)))
    self.time = time
  }

  /// The number of waiting requests.
  var waitingCount: Int { guarded.withLock { $0.state.waitingCount } }
  /// The number of requests in progress.
  var runningCount: Int { guarded.withLock { $0.state.running } }

  /// Waits for a turn, at most for the given duration.
  nonisolated(nonsending) func admit(
    _ host: String, _ priority: RequestPriority, within remaining: Duration?, _ open: OpenFetch? = nil
  ) async throws(WaitError) -> Permit {
    let (ticket, waiter) = guarded.withLock { guarded -> (ConcurrencyLimiterState.Ticket, Waiter?) in
      let (ticket, isAdmitted) = guarded.state.request(host, priority)
      if !isAdmitted { guarded.waiters[ticket] = Waiter() }
      return (ticket, guarded.waiters[ticket])
    }
    guard let waiter else { return Permit(self, host) }
    try await waiter.take(within: remaining, time, open) { self.stopWaiting(ticket, $0) }.get()
    return Permit(self, host)
  }

  fileprivate func release(_ permit: Permit, multiplexes: Bool?) {
    let waiters = guarded.withLock { guarded -> [Waiter] in
      guard !permit.isReleased else { return [] }
      permit.isReleased = true
      return guarded.state.release(permit.host, multiplexes: multiplexes).compactMap {
        guarded.waiters.removeValue(forKey: $0)
      }
    }
    for waiter in waiters { waiter.set(.success(())) }
  }

  private func stopWaiting(_ ticket: ConcurrencyLimiterState.Ticket, _ error: WaitError) {
    let waiter = guarded.withLock { guarded in
      guarded.state.withdraw(ticket) ? guarded.waiters.removeValue(forKey: ticket) : nil
    }
    waiter?.set(.failure(error))
  }
}

/// A slot among the requests in progress. It is freed by `release()` or on deallocation.
///
/// `@unchecked Sendable`: `isReleased` is accessed only under the lock of the limiter.
final class Permit: @unchecked Sendable {
  fileprivate let host: String
  fileprivate var isReleased = false
  private let limiter: ConcurrencyLimiter

  fileprivate init(_ limiter: ConcurrencyLimiter, _ host: String) {
    self.limiter = limiter
    self.host = host
  }

  deinit { release() }

  /// - Parameter multiplexes: Whether the response came over a connection for many requests, if that is known.
  func release(multiplexes: Bool? = nil) {
    limiter.release(self, multiplexes: multiplexes)
  }
}
