/// The fetches and streams of a client that have not ended: counted, so that the client can shut down, and each with
/// what ends its current wait.
final class OpenFetches: Sendable {
  typealias Interrupt = @Sendable () -> Void

  private struct Guarded {
    var isClosed = false
    var lastID = 0
    var open: [Int: Interrupt] = [:]
    var drained: [CheckedContinuation<Void, Never>] = []

    mutating func add() -> Int {
      lastID += 1
      open[lastID] = {}
      return lastID
    }

    mutating func takeDrained() -> [CheckedContinuation<Void, Never>] {
      guard open.isEmpty else { return [] }
      defer { drained = [] }
      return drained
    }
  }

  private let guarded = Lock(Guarded())

  var count: Int { guarded.withLock { $0.open.count } }

  /// Begins a fetch; nil once the client is shut down.
  func begin() -> OpenFetch? {
    guarded.withLock { $0.isClosed ? nil : $0.add() }.map { OpenFetch(self, $0) }
  }

  /// Lets no further fetch begin.
  func close() { guarded.withLock { $0.isClosed = true } }

  /// Interrupts all fetches, which have then ended for this object. Returns how many there were.
  @discardableResult
  func cancelAll() -> Int {
    let (interrupts, drained) = guarded.withLock { guarded in
      let interrupts = guarded.open
      guarded.open = [:]
      return (interrupts, guarded.takeDrained())
    }
    // Without the lock: an interrupt resumes a task, or takes the lock of another object.
    for interrupt in interrupts.values { interrupt() }
    for waiter in drained { waiter.resume() }
    return interrupts.count
  }

  /// Returns when no fetch is left.
  func drained() async {
    await withCheckedContinuation { continuation in
      let isDrained = guarded.withLock { guarded in
        if !guarded.open.isEmpty { guarded.drained.append(continuation) }
        return guarded.open.isEmpty
      }
      if isDrained { continuation.resume() }
    }
  }

  fileprivate func isOpen(_ id: Int) -> Bool { guarded.withLock { $0.open[id] != nil } }

  fileprivate func set(_ interrupt: @escaping Interrupt, for id: Int) -> Bool {
    // What was set before is released without the lock, because it may be the last reference to a stream.
    let old = guarded.withLock { guarded -> Interrupt? in
      guard let index = guarded.open.index(forKey: id) else { return nil }
      defer { guarded.open.values[index] = interrupt }
      return guarded.open.values[index]
    }
    return old != nil
  }

  /// Returns false if the fetch had been cancelled or had ended.
  fileprivate func end(_ id: Int) -> Bool {
    let (old, drained) = guarded.withLock { ($0.open.removeValue(forKey: id), $0.takeDrained()) }
    for waiter in drained { waiter.resume() }
    return old != nil
  }
}

/// A fetch or stream that has not ended. It ends with `end()`, or on deallocation.
final class OpenFetch: Sendable {
  private let all: OpenFetches
  private let id: Int
  private let hasEnded = Lock(false)

  fileprivate init(_ all: OpenFetches, _ id: Int) {
    self.all = all
    self.id = id
  }

  deinit { _ = all.end(id) }

  /// Whether the client has cancelled the fetch before its end. The task that runs it is not cancelled.
  var isCancelled: Bool { !hasEnded.withLock(\.self) && !all.isOpen(id) }

  func end() {
    // A fetch that was cancelled stays so.
    if all.end(id) { hasEnded.withLock { $0 = true } }
  }

  var wait: Wait { Wait(all: all, id: id) }

  /// What the fetch waits for at the moment. Does not keep the fetch open.
  struct Wait: Sendable {
    fileprivate let all: OpenFetches
    fileprivate let id: Int

    /// Sets what ends the wait, instead of what was set before. It is called at most once, from any thread.
    ///
    /// - Returns: False if the fetch has been cancelled already.
    func ends(by interrupt: @escaping OpenFetches.Interrupt) -> Bool { all.set(interrupt, for: id) }
  }
}

extension OpenFetch? {
  /// Runs an operation in a task, which is cancelled when the fetch is.
  nonisolated(nonsending) func run<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let self else { return try await operation() }
    let task = Task(operation: operation)
    if !self.wait.ends(by: { task.cancel() }) { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
