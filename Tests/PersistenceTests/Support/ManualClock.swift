@testable import Persistence

/// A clock whose time advances only on request.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var next = 0
    var cancelled: Set<Int> = []
    /// Callers that wait until a task sleeps.
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  var now: Instant { state.withLock { $0.now } }
  let minimumResolution = Swift.Duration.nanoseconds(1)

  var sleepers: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isCancelled, isOver, watchers) = state.withLock { state in
          if state.cancelled.contains(number) { return (true, false, [CheckedContinuation<Void, Never>]()) }
          if deadline <= state.now { return (false, true, []) }
          state.sleepers[number] = (deadline, continuation)
          defer { state.watchers = [] }
          return (false, false, state.watchers)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        if isOver { continuation.resume() }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(number)
        return state.sleepers.removeValue(forKey: number)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until a task sleeps, then advances the time.
  func advance(by duration: Duration) async {
    await withCheckedContinuation { watcher in
      let isAsleep = state.withLock { state in
        if state.sleepers.isEmpty { state.watchers.append(watcher) }
        return !state.sleepers.isEmpty
      }
      if isAsleep { watcher.resume() }
    }
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let woken = state.sleepers.filter { $0.value.deadline <= now }
      for number in woken.keys { state.sleepers[number] = nil }
      return woken.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}
