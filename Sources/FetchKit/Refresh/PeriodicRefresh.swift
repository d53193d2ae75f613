/// An object that runs a refresh at regular intervals while a program is in the foreground.
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
/// - Runs never overlap. A refresh requested during a run returns that run's result.
/// - The interval is measured from the end of a run, whether periodic or requested, to the start of the next run. Each
///   interval is lengthened or shortened by a small random amount, so that programs started at the same time do not
///   keep sending their requests simultaneously.
/// - After a failed run, the interval grows, up to ``Configuration/maxInterval``. The next successful run resets the
///   interval.
/// - After ``stop()``, no further runs start, but the current run finishes. When ``start()`` is called again, the
///   interval continues, and a run that became due in the meantime starts immediately.
///
/// Releasing the object stops further runs and cancels the current run.
public final class PeriodicRefresh: Sendable {
  /// The configuration of a periodic refresh. Set its properties in the closure passed to
  /// ``PeriodicRefresh/init(every:_:run:)``.
  public struct Configuration: Sendable {
    /// The time from the end of a successful run to the next run.
    public var interval: Duration
    /// The maximum fraction by which an interval is lengthened or shortened, from 0 to 1.
    public var jitter = 0.1
    /// The factor by which the interval grows with each consecutive failure.
    public var backoff = 2.0
    /// The maximum interval before jitter is applied. It is never less than ``interval``.
    public var maxInterval: Duration
    /// Whether the first run starts immediately. If false, the first run starts after one interval.
    public var runsImmediately = true
    /// The clock that measures the intervals.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// A function that returns a random number in a range. It is called to compute the jitter.
    public var random: @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) }

    init(interval: Duration) {
      self.interval = interval
      maxInterval = interval * 8
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

  /// Creates a periodic refresh. Call ``start()`` to start it.
  ///
  /// - Parameters:
  ///   - interval: The time from the end of a successful run to the next run.
  ///   - configure: A closure that modifies the rest of the configuration.
  ///   - run: A function that performs the refresh and returns its result. If the result is `failed`, the next interval
  ///     is longer.
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
    // No caller is waiting here: a waiting caller retains this object.
    let (timer, run) = state.withLock { ($0.timer, $0.run) }
    timer?.cancel()
    run?.cancel()
  }

  /// Starts periodic runs at the configured interval. Calling this method again has no effect unless ``stop()`` has
  /// been called since the previous call.
  public func start() {
    perform { schedule, now, chance in schedule.start(at: now, chance: chance) }
  }

  /// Prevents further periodic runs until ``start()`` is called again. Calling ``refreshNow()`` still runs a refresh.
  public func stop() {
    perform { schedule, _, _ in schedule.stop() }
  }

  /// Runs a refresh immediately, even if ``start()`` has not been called, and returns its result. If a run is in
  /// progress, this method waits for it and returns its result.
  ///
  /// Cancelling the waiting task ends neither the run nor the wait.
  public func refreshNow() async -> RefreshResult {
    await withCheckedContinuation { continuation in
      perform(adding: continuation) { schedule, _, _ in schedule.demand() }
    }
  }

  /// The number of callers waiting for a result.
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

  /// Called under the lock, so that tasks are created in the order decided. Returns the obsolete sleep, for the caller
  /// to cancel outside the lock. If that sleep ends on its own first, its token no longer matches the schedule's.
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
