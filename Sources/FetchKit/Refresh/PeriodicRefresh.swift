/// Refreshes every so often while a program is in the foreground.
///
/// ```swift
/// let periodic = PeriodicRefresh(every: .seconds(20 * 60)) {
///   await refresh.run(movies, update: update).result
/// }
/// periodic.start()                                  // in the foreground
/// let result = await periodic.refreshNow()          // pulled down by the user
/// periodic.stop()                                   // in the background
/// ```
///
/// - Two runs never overlap: a demand during a run gets that run's result.
/// - The interval lies between the end of a run and the start of the next, on demand or not, and each is stretched or
///   shortened a little by chance, so that programs started together do not ask together for ever.
/// - After a failed run the interval grows, up to ``Configuration/longestInterval``; the next success sets it back.
/// - Stopping begins nothing more and lets a run under way come to its end. Starting again takes up the interval where
///   it stood: what fell due meanwhile runs at once.
///
/// Letting go of it stops it, and cancels a run under way.
public final class PeriodicRefresh: Sendable {
  /// How often, and by which clock; every member can be set in the closure of ``PeriodicRefresh/init(every:_:run:)``.
  public struct Configuration: Sendable {
    /// The time from the end of a successful run to the next.
    public var interval: Duration
    /// By which part of itself an interval is at most longer or shorter; from 0 to 1.
    public var jitter = 0.1
    /// By how much the interval grows with each failure in a row.
    public var backoff = 2.0
    /// What it does not grow beyond, jitter apart; never less than ``interval``.
    public var longestInterval: Duration
    /// Whether the first start runs at once, or waits for an interval.
    public var runsAtStart = true
    /// The clock that measures the intervals.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// A number from a range, for the jitter.
    public var random: @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) }

    init(interval: Duration) {
      self.interval = interval
      longestInterval = interval * 8
    }
  }

  private struct State {
    var schedule: PeriodicSchedule
    var timer: Task<Void, Never>?
    var run: Task<Void, Never>?
    var waiting: [CheckedContinuation<RefreshResult, Never>] = []
  }

  private let state: Lock<State>
  private let time: TimeSource
  private let random: @Sendable (ClosedRange<Double>) -> Double
  private let work: @Sendable () async -> RefreshResult

  /// A refresh that waits to be started.
  ///
  /// - Parameters:
  ///   - interval: The time from the end of a successful run to the next.
  ///   - configure: Changes the rest of the configuration.
  ///   - run: Refreshes, and says what came of it; `failed` makes the next interval longer.
  public init(
    every interval: Duration, _ configure: (inout Configuration) -> Void = { _ in },
    run: @escaping @Sendable () async -> RefreshResult
  ) {
    var configuration = Configuration(interval: interval)
    configure(&configuration)
    state = Lock(State(schedule: PeriodicSchedule(configuration)))
    time = TimeSource(configuration.clock)
    random = configuration.random
    work = run
  }

  deinit {
    // Nobody waits: whoever does, holds on to it.
    let (timer, run) = state.withLock { ($0.timer, $0.run) }
    timer?.cancel()
    run?.cancel()
  }

  /// Runs as often as configured from now on. Again, it does nothing.
  public func start() {
    perform { schedule, now, chance in schedule.start(at: now, chance: chance) }
  }

  /// Begins no run any more, until started again; one on demand is still made.
  public func stop() {
    perform { schedule, _, _ in schedule.stop() }
  }

  /// Refreshes at once, started or not, and returns the result; during a run, that run's.
  ///
  /// Cancelling the waiting task ends neither the run nor the wait.
  public func refreshNow() async -> RefreshResult {
    await withCheckedContinuation { continuation in
      perform(adding: continuation) { schedule, _, _ in schedule.demand() }
    }
  }

  /// How many wait for a result.
  var demands: Int { state.withLock { $0.waiting.count } }

  private func perform(
    adding continuation: CheckedContinuation<RefreshResult, Never>? = nil,
    _ step: (inout PeriodicSchedule, _ now: Duration, _ chance: Double) -> PeriodicSchedule.Action
  ) {
    let now = time.now()
    let chance = random(-1...1)
    let over = state.withLock { state in
      if let continuation { state.waiting.append(continuation) }
      return perform(step(&state.schedule, now, chance), &state)
    }
    over?.cancel()
  }

  /// Under the lock, so that tasks are made in the order decided. Returns the sleep that is over, to be cancelled
  /// outside: should it end by itself before, its token is no longer the schedule's.
  private func perform(_ action: PeriodicSchedule.Action, _ state: inout State) -> Task<Void, Never>? {
    let over = action == .none ? nil : state.timer
    switch action {
    case .none: break
    case .sleep(let duration, let token):
      state.timer = Task { [weak self, time] in
        do {
          try await time.sleep(duration)
        } catch {
          return
        }
        self?.perform { schedule, _, _ in schedule.wake(token) }
      }
    case .cancelSleep: state.timer = nil
    case .run:
      state.timer = nil
      state.run = Task { [weak self, work] in
        let result = await work()
        self?.finish(result)
      }
    }
    return over
  }

  private func finish(_ result: RefreshResult) {
    let now = time.now()
    let chance = random(-1...1)
    let (waiting, over) = state.withLock { state in
      state.run = nil
      defer { state.waiting = [] }
      return (state.waiting, perform(state.schedule.finish(result, at: now, chance: chance), &state))
    }
    over?.cancel()
    for continuation in waiting { continuation.resume(returning: result) }
  }
}
