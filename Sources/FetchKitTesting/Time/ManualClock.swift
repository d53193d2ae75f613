internal import FetchKit

/// A clock that advances only when a test calls ``advance(by:)``.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(3600)) }
/// await clock.sleepers(atLeast: 1)       // the task is asleep
/// clock.advance(by: .seconds(3600))      // the task wakes up
/// ```
public final class ManualClock: Clock, Sendable {
  /// An instant of a manual clock, measured from the creation of the clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// Returns the instant that is later than this one by the given duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the time from this instant to another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Returns whether the left instant is before the right instant.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper: Sendable {
    var id: Int
    var deadline: Instant
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State: Sendable {
    var now = Instant(offset: .zero)
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var nextID = 0
    var slept: [Duration] = []
  }

  private let state = Watched(State())

  /// Creates a clock that starts at zero.
  public init() {}

  /// The current instant.
  public var now: Instant { state.value.now }
  /// The minimum resolution, which is zero because the clock can advance by any duration.
  public var minimumResolution: Duration { .zero }
  /// The durations of all sleeps requested so far, in the order of the requests.
  public var sleeps: [Duration] { state.value.slept }

  /// Sleeps until the clock reaches the deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the deadline.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.update { state in
      state.nextID += 1
      state.slept.append(state.now.duration(to: deadline))
      return state.nextID
    }
    let isAwake = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let early = state.update { state -> Bool? in
          if state.cancelled.remove(id) != nil { return false }
          if deadline <= state.now { return true }
          state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          return nil
        }
        if let early { continuation.resume(returning: early) }
      }
    } onCancel: {
      let sleeper = state.update { state -> Sleeper? in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(returning: false)
    }
    state.update { _ = $0.cancelled.remove(id) }
    guard isAwake else { throw CancellationError() }
  }

  /// Advances the clock and wakes the tasks whose deadlines it has reached, in the order of the deadlines.
  public func advance(by duration: Duration) {
    let due = state.update { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let due = state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume(returning: true) }
  }

  /// Waits until at least the given number of tasks are sleeping, or until the calling task is cancelled.
  public func sleepers(atLeast count: Int) async {
    await state.wait { $0.sleepers.count >= count }
  }
}
