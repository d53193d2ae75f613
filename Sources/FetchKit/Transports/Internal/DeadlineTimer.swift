/// Reports that the total or the idle timeout has expired, each at most once.
///
/// Activity only records the time, which the task that waits for silence checks when it wakes.
final class DeadlineTimer: Sendable {
  private struct State {
    var lastActivity = ContinuousClock.now
    var isHeld = false
    var hasEnded = false
    var waits: [Task<Void, Never>] = []
  }

  /// A clock cannot add longer times to an instant.
  private static let longest = Duration.seconds(86400 * 365)

  private let state = Lock(State())
  private let passed: @Sendable (TimeoutPhase) -> Void

  init(total: Duration?, passed: @escaping @Sendable (TimeoutPhase) -> Void) {
    self.passed = passed
    guard let total else { return }
    wait(for: .total) { [due = ContinuousClock.now.advanced(by: min(total, Self.longest))] _, _ in due }
  }

  deinit { stop() }

  func watchSilence(_ silence: Duration?) {
    guard let silence else { return }
    noteActivity()
    wait(for: .idle) { state, now in
      (state.isHeld ? now : state.lastActivity).advanced(by: min(silence, Self.longest))
    }
  }

  func noteActivity() {
    state.withLock { $0.lastActivity = .now }
  }

  /// Says whether the reader holds the transfer back. Silence does not count in the meantime.
  func hold(_ isHeld: Bool) {
    state.withLock { state in
      state.isHeld = isHeld
      state.lastActivity = .now
    }
  }

  func stop() {
    let waits = state.withLock { state in
      state.hasEnded = true
      return state.waits
    }
    for wait in waits { wait.cancel() }
  }

  /// Waits until the phase is over, whose end can move while it waits.
  private func wait(
    for phase: TimeoutPhase,
    until end: @escaping @Sendable (State, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant
  ) {
    // The timer belongs to the transfer, not to the task that happens to start it.
    let wait = Task.detached(priority: .medium) { [state, passed] in
      // One reading of the clock for both: time may pass between two.
      while case let now = ContinuousClock.now, case let due = state.withLock({ end($0, now) }), due > now {
        guard (try? await Task.sleep(until: due)) != nil else { return }
      }
      if !state.withLock(\.hasEnded) { passed(phase) }
    }
    let isLate = state.withLock { state in
      state.waits.append(wait)
      return state.hasEnded
    }
    if isLate { wait.cancel() }
  }
}
