/// Lets requests through as ``AdmissionState`` decides; waiting ends by turn, deadline or cancellation.
final class Admission: Sendable {
  enum Refusal: Error {
    case cancelled
    case outOfTime
  }

  private typealias Waiter = CheckedContinuation<Result<Void, Refusal>, Never>

  private struct Guarded {
    var state: AdmissionState
    var waiters: [AdmissionState.Ticket: Waiter] = [:]
    // What was decided between a request and its wait.
    var admittedEarly: Set<AdmissionState.Ticket> = []
    var refusedEarly: [AdmissionState.Ticket: Refusal] = [:]
  }

  private let guarded: Lock<Guarded>
  private let time: TimeSource

  init(_ limits: ConcurrencyLimits, _ time: TimeSource) {
    guarded = Lock(Guarded(state: AdmissionState(limits)))
    self.time = time
  }

  /// How many wait.
  var waitingCount: Int { guarded.withLock { $0.state.waitingCount } }
  /// How many are under way.
  var runningCount: Int { guarded.withLock { $0.state.running } }

  /// Waits for a turn, at most as long as given.
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

  private func wait(_ ticket: AdmissionState.Ticket, _ waiter: Waiter) {
    let result = guarded.withLock { guarded -> Result<Void, Refusal>? in
      if guarded.admittedEarly.remove(ticket) != nil { return .success(()) }
      if let refusal = guarded.refusedEarly.removeValue(forKey: ticket) { return .failure(refusal) }
      guarded.waiters[ticket] = waiter
      return nil
    }
    if let result { waiter.resume(returning: result) }
  }

  private func refuse(_ ticket: AdmissionState.Ticket, _ refusal: Refusal) {
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

/// The right to be under way, given back when it is released or let go of.
///
/// `@unchecked Sendable`: `isReleased` is touched only under the lock of the admission.
final class Permit: @unchecked Sendable {
  fileprivate let host: String
  fileprivate var isReleased = false
  private let admission: Admission

  fileprivate init(_ admission: Admission, _ host: String) {
    self.admission = admission
    self.host = host
  }

  deinit { release() }

  func release() {
    admission.release(self)
  }
}
