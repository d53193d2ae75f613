/// Admits requests as ``ConcurrencyLimiterState`` decides. Waiting ends with a turn, a timeout or a cancellation.
final class ConcurrencyLimiter: Sendable {
  enum Refusal: Error {
    case cancelled
    case outOfTime
  }

  private typealias Waiter = CheckedContinuation<Result<Void, Refusal>, Never>

  private struct Guarded {
    var state: ConcurrencyLimiterState
    var waiters: [ConcurrencyLimiterState.Ticket: Waiter] = [:]
    // Decisions made between a request and its wait.
    var admittedEarly: Set<ConcurrencyLimiterState.Ticket> = []
    var refusedEarly: [ConcurrencyLimiterState.Ticket: Refusal] = [:]
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
    _ host: String, _ priority: RequestPriority, within remaining: Duration?
  ) async throws(Refusal) -> Permit {
    let (ticket, isAdmitted) = guarded.withLock { $0.state.request(host, priority) }
    if isAdmitted { return Permit(self, host) }
    let alarm = remaining.map { remaining in
      Task { [time] in
        guard (try? await time.sleep(remaining)) != nil else { return }
        self.refuse(ticket, .outOfTime)
      }
    }
    defer { alarm?.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in self.wait(ticket, waiter) }
    } onCancel: {
      self.refuse(ticket, .cancelled)
    }
    try result.get()
    return Permit(self, host)
  }

  fileprivate func release(_ permit: Permit) {
    let waiter = guarded.withLock { guarded -> Waiter? in
      guard !permit.isReleased else { return nil }
      permit.isReleased = true
      guard let next = guarded.state.release(permit.host) else { return nil }
      guard let waiter = guarded.waiters.removeValue(forKey: next) else {
        guarded.admittedEarly.insert(next)
        return nil
      }
      return waiter
    }
    waiter?.resume(returning: .success(()))
  }

  private func wait(_ ticket: ConcurrencyLimiterState.Ticket, _ waiter: Waiter) {
    let result = guarded.withLock { guarded -> Result<Void, Refusal>? in
      if guarded.admittedEarly.remove(ticket) != nil { return .success(()) }
      if let refusal = guarded.refusedEarly.removeValue(forKey: ticket) { return .failure(refusal) }
      guarded.waiters[ticket] = waiter
      return nil
    }
    if let result { waiter.resume(returning: result) }
  }

  private func refuse(_ ticket: ConcurrencyLimiterState.Ticket, _ refusal: Refusal) {
    let waiter = guarded.withLock { guarded -> Waiter? in
      guard guarded.state.withdraw(ticket) else { return nil }
      guard let waiter = guarded.waiters.removeValue(forKey: ticket) else {
        guarded.refusedEarly[ticket] = refusal
        return nil
      }
      return waiter
    }
    waiter?.resume(returning: .failure(refusal))
  }
}

/// A slot among the requests in progress. It is freed by `release()` or on deallocation.
///
/// `@unchecked Sendable`: `isReleased` is accessed only under the lock of the limiter.
final class Permit: @unchecked Sendable {
  fileprivate let host: String
  fileprivate var isReleased = false
  private let admission: ConcurrencyLimiter

  fileprivate init(_ admission: ConcurrencyLimiter, _ host: String) {
    self.admission = admission
    self.host = host
  }

  deinit { release() }

  func release() {
    admission.release(self)
  }
}
