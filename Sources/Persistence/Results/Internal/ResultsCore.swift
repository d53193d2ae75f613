internal import Dispatch

/// Runs the state machine of live results on the store's queue for commits, and distributes its output.
///
///     commit ──► receive ──► nothing
///                   │
///                   ├──► publish ───────────────────────────► rows, and listeners
///                   └──► read, readAll ──► rows read ──► answer, answerAll ──► publish
///                                             │ the read saw a later commit n:
///                                             └──► commits up to n only say which rows to show again
///
/// `@unchecked Sendable`: `machine` and `late` are used only on that queue. The rest is constant or protected by a
/// lock.
final class ResultsCore: @unchecked Sendable {
  enum Event: Sendable {
    case update(old: ResultsRows, new: ResultsRows, RowsDifference)
    case failure(PersistenceError)
    /// The container was closed.
    case end
  }

  struct Listener: Sendable {
    /// Whether it is called when every listener has received the commit. Listeners that fill the main actor's inbox are
    /// called before.
    var isLate = true
    let receive: @Sendable (Event) -> Void
  }

  private struct State {
    var rows: ResultsRows
    var failure: PersistenceError?
    var listeners: [ObjectIdentifier: Listener] = [:]
    var hasEnded = false
  }

  let store: Store
  private let state: Lock<State>
  private var machine: ResultsMachine
  private var late: [(Listener, Event)] = []
  private let listener: CommitListener

  /// Follows the store from now on. ``start()`` reads the rows.
  init(_ plan: ResultsPlan, _ store: Store) {
    self.store = store
    machine = ResultsMachine(plan)
    state = Lock(State(rows: machine.rows))
    let target = WeakReference<ResultsCore>()
    listener = CommitListener { commit in
      store.commitQueue.async { target.object?.process(commit) }
    } settled: { _ in
      store.commitQueue.async { target.object?.tellLate() }
    } finish: {
      target.object?.end()
    }
    target.object = self
    store.access.commits.add(listener, watching: plan.watches)
  }

  deinit { store.access.commits.remove(listener) }

  func start() async throws(PersistenceError) {
    let result = await withCheckedContinuation { continuation in
      store.commitQueue.async { continuation.resume(returning: Result(catching: self.read)) }
    }
    try result.get()
  }

  /// As ``start()``, but keeps an error as the failure. Nothing on the queue waits for the main actor, which may
  /// therefore wait here.
  func startNow() {
    store.commitQueue.sync {
      do throws(PersistenceError) {
        try read()
      } catch {
        machine.fail()
        state.withLock { $0.failure = error }
      }
    }
  }

  private func read() throws(PersistenceError) {
    let rows = try readAll(for: nil)
    // Here, because the next commit may be processed before the caller continues.
    state.withLock { $0.rows = rows }
  }

  private func readAll(for commit: Commit?) throws(PersistenceError) -> ResultsRows {
    let (entries, number) = try store.reader.entries(of: machine.plan, among: nil, in: store.access)
    _ = machine.answerAll(entries, for: commit, at: number)
    return machine.rows
  }

  private func process(_ commit: Commit) {
    var action = machine.receive(commit)
    do {
      while true {
        switch action {
        case .nothing: return settle()
        case .publish(let rows, let difference): return publish(rows, difference)
        case .read(let ids):
          let (entries, number) = try store.reader.entries(of: machine.plan, among: ids, in: store.access)
          action = machine.answer(entries, for: commit, at: number)
        case .readAll:
          let (entries, number) = try store.reader.entries(of: machine.plan, among: nil, in: store.access)
          action = machine.answerAll(entries, for: commit, at: number)
        }
      }
    } catch {
      machine.fail()
      let listeners = state.withLock { state in
        state.failure = error
        return Array(state.listeners.values)
      }
      tell(listeners, .failure(error))
    }
  }

  private func tell(_ listeners: [Listener], _ event: Event) {
    for listener in listeners {
      if listener.isLate { late.append((listener, event)) } else { listener.receive(event) }
    }
  }

  private func tellLate() {
    for (listener, event) in late { listener.receive(event) }
    late = []
  }

  /// Clears an earlier failure, because reading has succeeded again.
  private func settle() { state.withLock { $0.failure = nil } }

  private func publish(_ rows: ResultsRows, _ difference: RowsDifference) {
    let (old, listeners) = state.withLock { state in
      defer { state.rows = rows }
      state.failure = nil
      return (state.rows, Array(state.listeners.values))
    }
    tell(listeners, .update(old: old, new: rows, difference))
  }

  private func end() {
    let listeners = state.withLock { state in
      state.hasEnded = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.receive(.end) }
  }

  var rows: ResultsRows { state.withLock { $0.rows } }

  var failure: PersistenceError? { state.withLock { $0.failure } }

  /// Adds a listener for all changes from now on, and returns the current rows.
  func add(_ key: AnyObject, _ listener: Listener) -> ResultsRows {
    let (rows, hasEnded) = state.withLock { state in
      state.listeners[ObjectIdentifier(key)] = listener
      return (state.rows, state.hasEnded)
    }
    if hasEnded { listener.receive(.end) }
    return rows
  }

  func remove(_ key: ObjectIdentifier) { state.withLock { $0.listeners[key] = nil } }
}

/// `@unchecked Sendable`: set once, before another thread has access to it. Reading a weak reference is safe from any
/// thread.
final class WeakReference<Object: AnyObject>: @unchecked Sendable {
  weak var object: Object?
}
