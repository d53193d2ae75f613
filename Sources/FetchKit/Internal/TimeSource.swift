/// The parts of a clock that the pipeline needs, so that any clock can be injected.
package struct TimeSource: Sendable {
  /// The time since the source was created.
  package let now: @Sendable () -> Duration
  package let sleep: @Sendable (Duration) async throws -> Void

  package init(_ clock: any Clock<Duration>) {
    self = Self.wrap(clock)
  }

  private init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    self.now = now
    self.sleep = sleep
  }

  /// Calls the function after a time, unless the task is cancelled before.
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task {
      guard (try? await sleep(delay)) != nil else { return }
      work()
    }
  }

  private static func wrap<Source: Clock>(_ clock: Source) -> TimeSource where Source.Duration == Duration {
    let origin = clock.now
    return TimeSource(now: { origin.duration(to: clock.now) }, sleep: { try await clock.sleep(for: $0) })
  }
}
