/// An object that runs a refresh at regular intervals, for example while a program is in the foreground.
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
/// - Runs never overlap. A call to ``refreshNow()`` during a run does not start another run but returns the result of
///   the current run.
/// - The interval is measured from the end of a run, whether periodic or requested, to the start of the next run. Each
///   interval is lengthened or shortened by a small random amount, so that programs started at the same time do not
///   keep sending their requests simultaneously.
/// - After a failed run, the interval grows, up to ``Configuration/maxInterval``. The next successful run resets the
///   interval.
/// - After a call to ``stop()``, the current run finishes, but no further periodic runs start. A later call to
///   ``start()`` does not restart the interval. If the interval has ended by then, a run starts immediately.
///
/// Releasing the object cancels the current run and prevents further runs.
public final class PeriodicRefresh: Sendable {
  /// The configuration of a periodic refresh. Set its properties in the closure passed to
  /// ``PeriodicRefresh/init(every:_:run:)``.
  public struct Configuration: Sendable {
    /// The time from the end of a successful run to the start of the next run.
    public var interval: Duration
    /// The maximum fraction, from 0 to 1, by which an interval is randomly lengthened or shortened.
    public var jitter = 0.1
    /// The factor by which the interval is multiplied after each consecutive failed run.
    public var backoff = 2.0
    /// The maximum interval before jitter is applied. If this value is less than ``interval``, the value of
    /// ``interval`` is used instead.
    public var maxInterval: Duration
    /// Whether the first run starts as soon as ``PeriodicRefresh/start()`` is called. If false, the first run starts
    /// after one interval.
    public var runsImmediately = true
    /// The clock that measures the intervals.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// A function that returns a random number in the given range. The jitter is computed from this number.
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
  ///   - interval: The time from the end of a successful run to the start of the next run.
  ///   - configure: A closure that modifies the other properties of the configuration.
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

  /// Starts periodic runs at the configured interval. Calling this method again without calling ``stop()`` first has no
  /// effect.
  public func start() {
    perform { schedule, now, chance in schedule.start(at: now, chance: chance) }
  }

  /// Prevents further periodic runs until ``start()`` is called again. Calling ``refreshNow()`` still runs a refresh.
  public func stop() {
    perform { schedule, _, _ in schedule.stop() }
  }

  /// Runs a refresh immediately, even if ``start()`` has not been called, and returns its result. If a run is in
  /// progress, this method waits until that run has ended and returns its result.
  ///
  /// Cancelling the calling task does not cancel the run, and this method still waits until the run has ended.
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
      state.timer = time.after(duration) { [weak self] in self?.perform { schedule, _, _ in schedule.wake(token) } }
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
