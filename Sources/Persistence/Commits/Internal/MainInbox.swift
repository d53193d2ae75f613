internal import Dispatch

/// What commits mean to the main actor: its context's objects take on new values, and then controllers take on the
/// snapshots that are sorted by them.
///
/// The work is added on the store's queue for commits while the listeners receive a commit. It is delivered when all of
/// them have, and then done without a pause. Only observers, which are notified in between, see the objects of a
/// foreign commit beside the snapshot of an earlier one.
final class MainInbox: Sendable {
  typealias Work = @MainActor @Sendable () -> Void

  private struct State {
    var arriving: [Work] = []
    var delivered: [Work] = []
    /// The work that is being done, in reverse.
    var current: [Work] = []

    mutating func next() -> Work? {
      if current.isEmpty {
        current = delivered.reversed()
        delivered = []
      }
      return current.popLast()
    }
  }

  private let state = Lock(State())

  func add(_ work: @escaping Work) { state.withLock { $0.arriving.append(work) } }

  /// All listeners have received the commit.
  func deliver() {
    state.withLock { state in
      state.delivered += state.arriving
      state.arriving = []
    }
    DispatchQueue.main.async { MainActor.assumeIsolated { self.work() } }
  }

  /// Does the work that was delivered.
  @MainActor func work() {
    while let work = state.withLock({ $0.next() }) { work() }
  }
}
