internal import Dispatch

/// Reports once which timeout expired: the total or the idle timeout.
///
/// One dispatch timer per request. Activity only records the time, and the timer checks it when it fires.
///
/// `@unchecked Sendable`: dispatch sources are thread-safe, and all other state is in `state`.
final class DeadlineTimer: @unchecked Sendable {
  private struct State {
    var totalDue: ContinuousClock.Instant?
    var silence: Duration?
    var lastActivity = ContinuousClock.now
    var isHeld = false
    var hasEnded = false

    var silenceDue: ContinuousClock.Instant? {
      guard let silence, !isHeld else { return nil }
      return lastActivity.advanced(by: min(silence, .seconds(86400 * 365)))
    }
  }

  private static let queue = DispatchQueue(label: "larder.timeouts")
  private let state: Lock<State>
  private let source: any DispatchSourceTimer
  private let passed: @Sendable (TimeoutPhase) -> Void

  init(total: Duration?, passed: @escaping @Sendable (TimeoutPhase) -> Void) {
    let due = total.map { ContinuousClock.now.advanced(by: min($0, .seconds(86400 * 365))) }
    state = Lock(State(totalDue: due))
    self.passed = passed
    source = DispatchSource.makeTimerSource(queue: Self.queue)
    source.setEventHandler { [weak self] in self?.look() }
    source.activate()
    schedule()
  }

  deinit {
    source.cancel()
  }

  func watchSilence(_ silence: Duration?) {
    guard let silence else { return }
    state.withLock { state in
      state.silence = silence
      state.lastActivity = .now
    }
    schedule()
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
    schedule()
  }

  func stop() {
    state.withLock { $0.hasEnded = true }
    source.cancel()
  }

  private func schedule() {
    let next = state.withLock { state -> ContinuousClock.Instant? in
      guard !state.hasEnded else { return nil }
      return [state.totalDue, state.silenceDue].compactMap { $0 }.min()
    }
    guard let next else { return }
    let wait = max(0, (next - .now).nanoseconds)
    source.schedule(deadline: .now() + .nanoseconds(wait), leeway: .milliseconds(1))
  }

  private func look() {
    let phase = state.withLock { state -> TimeoutPhase? in
      guard !state.hasEnded else { return nil }
      let now = ContinuousClock.now
      var phase: TimeoutPhase?
      if let due = state.silenceDue, due <= now { phase = .idle }
      if let due = state.totalDue, due <= now { phase = .total }
      state.hasEnded = phase != nil
      return phase
    }
    guard let phase else { return schedule() }
    source.cancel()
    passed(phase)
  }
}
