/// The lifecycle of an ``AsyncOperation``. Each transition happens once, regardless of the caller and the order of
/// calls.
struct OperationStage {
  private enum Phase { case ready, starting, executing, finished }

  /// The action to take when an operation is started.
  enum Start { case execute, finish, ignore }

  private var phase = Phase.ready
  private var isCancelled = false
  private var isEndedEarly = false

  var isExecuting: Bool { phase == .starting || phase == .executing }
  var isFinished: Bool { phase == .finished }

  mutating func start(isCancelled wasCancelled: Bool) -> Start {
    guard phase == .ready else { return .ignore }
    phase = .starting
    return wasCancelled || isCancelled || isEndedEarly ? .finish : .execute
  }

  /// Records that `execute()` has returned. Returns whether to report a cancellation that arrived in the meantime.
  mutating func didExecute() -> Bool {
    guard phase == .starting else { return false }
    phase = .executing
    return isCancelled
  }

  /// Returns whether to report the cancellation now: only the first one, and only to an executing operation.
  mutating func cancel() -> Bool {
    guard !isCancelled else { return false }
    isCancelled = true
    return phase == .executing
  }

  /// Returns whether this call ended the operation. Before the start the call is only recorded: finishing an operation
  /// that its queue has not started would leave the queue in an inconsistent state.
  mutating func finish() -> Bool {
    switch phase {
    case .ready:
      isEndedEarly = true
      return false
    case .starting, .executing:
      phase = .finished
      return true
    case .finished: return false
    }
  }
}
