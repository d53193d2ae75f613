internal import Synchronization

/// Whether a store is suspended, and which of its connections are open.
///
/// Every connection enters before its file is opened and leaves after it is closed. Once all have left, this process
/// holds no lock on the store's files through this container.
final class StoreSuspension: Sendable {
  private enum Phase: Int {
    case running
    /// Closures that were running may finish. No other work begins.
    case finishing
    /// The time limit is over: the running closures fail.
    case interrupting
  }

  private struct Member {
    var interrupt: (@Sendable () -> Void)?
    var log: OpenFile?
  }

  private struct State {
    /// The open connections. One that is being opened or closed has no interrupt and no log.
    var members: [Int: Member] = [:]
    /// The store's file. Nil in memory, and before the container is open.
    var file: OpenFile?
    var lastMember = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    var lastTurn: Task<Void, Never>?
  }

  // Read on every fetch, so without the lock. It is changed within the lock.
  private let phase = Atomic(Phase.running.rawValue)
  private let state = Lock(State())

  /// Whether the store is suspended or is about to be.
  var isRefusing: Bool { phase.load(ordering: .relaxed) != Phase.running.rawValue }

  /// Whether running work may not go on.
  var isInterrupting: Bool { phase.load(ordering: .relaxed) == Phase.interrupting.rawValue }

  /// Returns the number of a connection that is about to be opened, or nil if none may be opened.
  func admit() -> Int? {
    state.withLock { state in
      if isRefusing { return nil }
      state.lastMember += 1
      state.members[state.lastMember] = Member()
      return state.lastMember
    }
  }

  /// - Parameters:
  ///   - log: The log that the connection has open, which no one removes until ``willClose(_:)``.
  ///   - interrupt: Interrupts the connection's statement, from any thread, until ``willClose(_:)``.
  func opened(_ member: Int, _ log: OpenFile?, _ interrupt: @escaping @Sendable () -> Void) {
    state.withLock { $0.members[member] = Member(interrupt: interrupt, log: log) }
  }

  /// From now on, connections are opened only to this file.
  func watch(_ path: String) { state.withLock { $0.file = OpenFile(path) } }

  /// Whether the store's file is at its path, and its log if a connection has it open.
  var hasFilesInPlace: Bool {
    state.withLock { state in
      guard let file = state.file else { return true }
      return file.isInPlace && state.members.values.lazy.compactMap(\.log).first?.isInPlace ?? true
    }
  }

  func willClose(_ member: Int) {
    state.withLock { $0.members[member] = Member() }
  }

  func leave(_ member: Int) {
    let waiters = state.withLock { state in
      state.members[member] = nil
      guard state.members.isEmpty else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until no connection is open.
  func allHaveLeft() async {
    await withCheckedContinuation { waiter in
      let isEmpty = state.withLock { state in
        if !state.members.isEmpty { state.waiters.append(waiter) }
        return state.members.isEmpty
      }
      if isEmpty { waiter.resume() }
    }
  }

  /// Returns false if the store is suspended already.
  func begin() -> Bool {
    state.withLock { _ in
      phase.compareExchange(
        expected: Phase.running.rawValue, desired: Phase.finishing.rawValue, ordering: .relaxed
      ).exchanged
    }
  }

  /// Interrupts every statement that is running. Those that begin later are interrupted by the next call.
  func interrupt() {
    state.withLock { state in
      phase.store(Phase.interrupting.rawValue, ordering: .relaxed)
      for member in state.members.values { member.interrupt?() }
    }
  }

  /// Returns false if the store is not suspended.
  func end() -> Bool {
    state.withLock { _ in
      defer { phase.store(Phase.running.rawValue, ordering: .relaxed) }
      return isRefusing
    }
  }

  /// Runs suspensions and resumptions one after another, in the order of the calls. They are not cancelled with the
  /// calling task.
  func inTurn(_ body: @escaping @Sendable () async -> Void) async {
    let turn = state.withLock { state in
      let turn = Task { [last = state.lastTurn] in
        await last?.value
        await body()
      }
      state.lastTurn = turn
      return turn
    }
    await turn.value
  }
}
