/// Decides when a ``PeriodicRefresh`` runs. It receives events with their times and returns the action to take. It uses
/// no clock and no task.
struct PeriodicSchedule {
  enum Action: Equatable {
    case none
    /// Sleep for the duration and call `wake(_:)` with the token. Replaces an earlier sleep.
    case sleep(Duration, token: Int)
    case cancelSleep
    /// Run now. Ends an earlier sleep.
    case run
  }

  private let interval: Duration
  private let longest: Duration
  private let backoff: Double
  private let jitter: Double
  private var isStarted = false
  private var isRunning = false
  private var failures = 0
  private var due: Duration?
  private var runsImmediately: Bool
  private var token = 0

  init(_ configuration: PeriodicRefresh.Configuration) {
    interval = max(.zero, configuration.interval)
    longest = max(interval, configuration.maxInterval)
    backoff = max(1, configuration.backoff)
    jitter = min(1, max(0, configuration.jitter))
    runsImmediately = configuration.runsImmediately
  }

  /// - Parameter chance: The position of the next interval within the jitter, from -1 to 1.
  mutating func start(at now: Duration, chance: Double) -> Action {
    guard !isStarted else { return .none }
    isStarted = true
    guard !isRunning else { return .none }
    if let due { return due <= now ? run() : sleep(due - now) }
    if runsImmediately { return run() }
    let wait = nextInterval(chance)
    due = now + wait
    return sleep(wait)
  }

  mutating func stop() -> Action {
    guard isStarted else { return .none }
    isStarted = false
    token += 1
    return isRunning ? .none : .cancelSleep
  }

  mutating func wake(_ token: Int) -> Action {
    guard isStarted, !isRunning, token == self.token else { return .none }
    return run()
  }

  mutating func demand() -> Action {
    isRunning ? .none : run()
  }

  mutating func finish(_ result: RefreshResult, at now: Duration, chance: Double) -> Action {
    isRunning = false
    failures = result == .failed ? failures + 1 : 0
    let wait = nextInterval(chance)
    due = now + wait
    return isStarted ? sleep(wait) : .none
  }

  private mutating func run() -> Action {
    isRunning = true
    token += 1
    return .run
  }

  private mutating func sleep(_ duration: Duration) -> Action {
    token += 1
    return .sleep(duration, token: token)
  }

  private func nextInterval(_ chance: Double) -> Duration {
    var wait = interval
    for _ in 0..<failures {
      // Stops before the value overflows a duration.
      guard wait < longest else { break }
      wait = min(longest, wait * backoff)
    }
    return wait * (1 + jitter * min(1, max(-1, chance)))
  }
}
