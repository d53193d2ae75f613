/// Coalesces identical requests into one run, as ``SharingState`` decides.
///
/// The run is a separate task. It continues while any caller waits for it and is cancelled when no caller is left.
final class Coalescer<Key: Hashable & Sendable, Outcome: Sendable>: Sendable {
  typealias Ending = Result<Outcome, WaitError>
  typealias State = SharingState<Key, Task<Void, Never>, Promise<Ending>>

  private let state = Lock(State())
  private let time: TimeSource

  init(_ time: TimeSource) {
    self.time = time
  }

  /// The number of runs in progress.
  var count: Int { state.withLock { $0.count } }
  /// The number of callers that share them.
  var memberCount: Int { state.withLock { $0.memberCount } }
  /// Whether no state is left.
  var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Returns the outcome of the work, shared with all callers that make the same request in the meantime.
  ///
  /// - Parameters:
  ///   - end: When this caller stops waiting, measured by the time source.
  ///   - work: Receives a function that returns how long the caller with the latest end still waits. The value changes
  ///     over time.
  func outcome(
    of key: Key, until end: Duration?, _ open: OpenFetch?,
    _ work: @escaping @Sendable (@escaping @Sendable () -> Duration?) async -> Outcome
  ) async throws(WaitError) -> Outcome {
    let ending = Promise<Ending>()
    let (ticket, isFirst) = state.withLock { $0.join(key, until: end, ending) }
    if isFirst { start(ticket, work) }
    let remaining = end.map { $0 - time.now() }
    return try await ending.take(within: remaining, time, open) { self.leave(ticket, $0) }.get()
  }

  private func start(
    _ ticket: State.Ticket, _ work: @escaping @Sendable (@escaping @Sendable () -> Duration?) async -> Outcome
  ) {
    let task = Task {
      let outcome = await work { [self] in
        state.withLock { $0.end(ticket) }.map { $0 - time.now() }
      }
      for waiter in state.withLock({ $0.finish(ticket) }) { waiter.set(.success(outcome)) }
    }
    state.withLock { $0.started(ticket, task) }?.cancel()
  }

  private func leave(_ ticket: State.Ticket, _ error: WaitError) {
    let (waiter, task) = state.withLock { $0.leave(ticket) }
    waiter?.set(.failure(error))
    task?.cancel()
  }
}
