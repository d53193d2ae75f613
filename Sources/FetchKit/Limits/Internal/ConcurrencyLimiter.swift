/// Admits requests as ``ConcurrencyLimiterState`` decides. Waiting ends with a turn, a timeout or a cancellation.
final class ConcurrencyLimiter: Sendable {
  enum WaitError: Error {
    case cancelled
    case timeout
  }

  private typealias Waiter = CheckedContinuation<Result<Void, WaitError>, Never>

  private struct Guarded {
    var state: ConcurrencyLimiterState
    var waiters: [ConcurrencyLimiterState.Ticket: Waiter] = [:]
    // Decisions made between a request and its wait.
    var admittedEarly: Set<ConcurrencyLimiterState.Ticket> = []
    var stoppedEarly: [ConcurrencyLimiterState.Ticket: WaitError] = [:]
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
    let (ticket, isAdmitted) = guarded.withLock { $0.state.request(host, priority) }
    if isAdmitted { return Permit(self, host) }
    let alarm = remaining.map { remaining in
      Task { [time] in
        guard (try? await time.sleep(remaining)) != nil else { return }
        self.stopWaiting(ticket, .timeout)
      }
    }
    defer { alarm?.cancel() }
    let isOpen = open?.wait.ends { self.stopWaiting(ticket, .cancelled) } ?? true
    if !isOpen { stopWaiting(ticket, .cancelled) }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in self.wait(ticket, waiter) }
    } onCancel: {
      self.stopWaiting(ticket, .cancelled)
    }
    try result.get()
    return Permit(self, host)
  }

  fileprivate func release(_ permit: Permit, multiplexes: Bool?) {
    let waiters = guarded.withLock { guarded -> [Waiter] in
      guard !permit.isReleased else { return [] }
      permit.isReleased = true
      return guarded.state.release(permit.host, multiplexes: multiplexes).compactMap { next in
        guard let waiter = guarded.waiters.removeValue(forKey: next) else {
          guarded.admittedEarly.insert(next)
          return nil
        }
        return waiter
      }
    }
    for waiter in waiters { waiter.resume(returning: .success(())) }
  }

  private func wait(_ ticket: ConcurrencyLimiterState.Ticket, _ waiter: Waiter) {
    let result = guarded.withLock { guarded -> Result<Void, WaitError>? in
      if guarded.admittedEarly.remove(ticket) != nil { return .success(()) }
      if let error = guarded.stoppedEarly.removeValue(forKey: ticket) { return .failure(error) }
      guarded.waiters[ticket] = waiter
      return nil
    }
    if let result { waiter.resume(returning: result) }
  }

  private func stopWaiting(_ ticket: ConcurrencyLimiterState.Ticket, _ error: WaitError) {
    let waiter = guarded.withLock { guarded -> Waiter? in
      guard guarded.state.withdraw(ticket) else { return nil }
      guard let waiter = guarded.waiters.removeValue(forKey: ticket) else {
        guarded.stoppedEarly[ticket] = error
        return nil
      }
      return waiter
    }
    waiter?.resume(returning: .failure(error))
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
