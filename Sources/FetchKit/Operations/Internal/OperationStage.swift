/// Where an ``AsyncOperation`` stands, and what may follow: each step happens once, whoever asks and in whatever order.
struct OperationStage {
  private enum Phase { case ready, starting, executing, finished }

  /// What to do when an operation is started.
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

  /// `execute()` has returned; whether a cancellation came meanwhile and is to be told now.
  mutating func didExecute() -> Bool {
    guard phase == .starting else { return false }
    phase = .executing
    return isCancelled
  }

  /// Whether the cancellation is to be told now: only the first, and only to an operation at work.
  mutating func cancel() -> Bool {
    guard !isCancelled else { return false }
    isCancelled = true
    return phase == .executing
  }

  /// Whether this call ended it. Before the start it is only noted: an operation that is finished before its queue
  /// started it leaves the queue confused.
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
