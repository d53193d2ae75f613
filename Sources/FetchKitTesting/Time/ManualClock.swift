internal import FetchKit

/// A clock whose time stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(3600)) }
/// await clock.sleepers(atLeast: 1)       // it sleeps
/// clock.advance(by: .seconds(3600))      // it wakes, now
/// ```
public final class ManualClock: Clock, Sendable {
  /// A moment of a manual clock: the time since it was made.
  public struct Instant: InstantProtocol {
    /// Time since the clock was made.
    public var offset: Duration

    /// The moment that much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The time from this moment to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether one moment is before another.
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

  /// A clock at zero.
  public init() {}

  /// The moment it stands at.
  public var now: Instant { state.value.now }
  /// Zero: it is as fine as durations are.
  public var minimumResolution: Duration { .zero }
  /// The length of every sleep that was asked for, in order.
  public var sleeps: [Duration] { state.value.slept }

  /// Sleeps until the clock is moved to the deadline or beyond.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
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

  /// Moves the clock and wakes those whose time has come, the earliest first.
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

  /// Waits until so many tasks sleep, or the one that waits is cancelled.
  public func sleepers(atLeast count: Int) async {
    await state.wait { $0.sleepers.count >= count }
  }
}
