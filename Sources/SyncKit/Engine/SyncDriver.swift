internal import Foundation
package import Persistence

/// Runs a ``SyncMachine``: commits each event to the store, one after the other, and then carries out its actions.
///
/// It has a context of its own. The app's commits reach it by the container's commits, so nothing has to be called when
/// something was changed.
package actor SyncDriver {
  private let remote: any DriverRemote
  let context: ObjectContext
  private let container: PersistentContainer
  private let tables: SyncedTables
  private let pause: @Sendable (Duration) async throws -> Void
  private let clock = ContinuousClock()
  private let origin: ContinuousClock.Instant
  private var machine: SyncMachine
  private var tasks: [Int: Task<Void, Never>] = [:]
  /// Those that wait to handle an event again.
  private var retries: [Int: Task<Void, Never>] = [:]
  private var lastTask = 0
  private var events: [Pending] = []
  private var handling: Task<Void, Never>?
  private var phase = Phase.stopped
  private var hasTables = false
  /// Counts starts and stops. What an earlier run leaves behind must not reach a later one.
  private(set) var run = 0
  private var lock: DriverLock?
  private var replica = UUID()
  private var timer: Task<Void, Never>?
  private var listener: Task<Void, Never>?
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []
  private var isChanging = false
  private var changeWaiters: [CheckedContinuation<Void, Never>] = []
  private var observers: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastObserver = 0
  /// Why the last request of each kind failed, until one of that kind succeeds.
  private var failures: [Request: any Error] = [:]

  private struct Pending {
    let event: SyncEvent
    let done: CheckedContinuation<Result<Void, PersistenceError>, Never>?
  }

  private enum Phase {
    case stopped, running
    /// Nothing is begun any more, and answers are still recorded.
    case stopping
  }

  private enum Request: Comparable { case push, command, pull, fetch, store }

  /// - Parameters:
  ///   - classes: Those with which the container's schema was made, see ``Persistence/Schema/synchronizing(_:)``.
  ///   - pause: Waits for a time.
  package init(
    _ container: PersistentContainer, _ classes: [SyncedClass], with remote: any DriverRemote,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) throws(SyncError) {
    self.init(container, try SyncedTables(container.schema, classes), with: remote, pause: pause)
  }

  init(
    _ container: PersistentContainer, _ tables: SyncedTables, with remote: any DriverRemote,
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.container = container
    self.remote = remote
    self.pause = pause
    self.tables = tables
    context = container.newContext()
    origin = clock.now
    machine = SyncDriver.machine(tables, remote)
  }

  private static func machine(_ tables: SyncedTables, _ remote: any DriverRemote) -> SyncMachine {
    var machine = SyncMachine(tables.model, remote.capabilities, scopes: remote.scopes)
    machine.policy = remote.policy
    return machine
  }

  // Starting and stopping

  /// Begins to send what waits, also from earlier runs of the program, and to look for changes. From then on the driver
  /// exists until it is stopped, or its container closed.
  package func start() async throws {
    await beginChange()
    defer { endChange() }
    if phase == .running { return }
    let (file, replica) = try await prepare()
    guard let lock = try DriverLock(nextToStore: file) else { throw SyncError.alreadyDriven }
    (self.lock, self.replica) = (lock, replica)
    phase = .running
    run += 1
    failures = [:]
    // From now on no commit is missed, and what was committed before is found by the first event.
    let commits = container.commits
    let types = tables.types
    listener = Task { [run] in
      for await changes in commits where types.contains(where: { changes.affects($0) }) { self.send(.changed, of: run) }
      if !Task.isCancelled { await containerWasClosed() }
    }
    send(.started, of: run)
  }

  /// Creates the tables.
  ///
  /// - Returns: The path of the store, which is empty for one in memory, and what the store is called.
  private func prepare() async throws(PersistenceError) -> (file: String, replica: UUID) {
    let found = try await context.persist { space in
      try StoredRows.create(in: space)
      let row = try space.rows(
        "SELECT file,(SELECT value FROM _larder_sync WHERE name='replica') FROM pragma_database_list WHERE name='main'"
      ).first
      return (row?[0].string ?? "", row.flatMap { UUID(stored: $0[1]) } ?? UUID())
    }
    hasTables = true
    return found
  }

  /// Ends all requests. What they have changed is settled after the next start.
  package func stop() async {
    await beginChange()
    defer { endChange() }
    if phase != .running { return }
    phase = .stopping
    listener?.cancel()
    timer?.cancel()
    let running = Array(tasks.values) + Array(retries.values)
    for task in running { task.cancel() }
    for task in running { await task.value }
    // What has been answered is recorded before another process may drive.
    while let handling { await handling.value }
    phase = .stopped
    run += 1
    machine = SyncDriver.machine(tables, remote)
    lock = nil
    resumeIfIdle()
    notifyObservers()
  }

  /// Starts and stops wait for each other.
  private func beginChange() async {
    while isChanging { await withCheckedContinuation { changeWaiters.append($0) } }
    isChanging = true
  }

  private func endChange() {
    isChanging = false
    for waiter in changeWaiters { waiter.resume() }
    changeWaiters = []
  }

  /// Looks for changes, and returns at once.
  package func poll() { send(.poll, of: run) }

  /// Reads all lists from the beginning, and returns at once.
  func reconcile() { send(.reconcile, of: run) }

  /// Sends what waits and looks for changes once. Returns when no request is in progress any more: either all is done,
  /// or what is left waits for a later attempt or for a decision.
  package func synchronize() async {
    guard phase == .running else { return }
    poll()
    await withCheckedContinuation { idleWaiters.append($0) }
  }

  /// Looks at what the app has committed, for what its commits do not say.
  func noteChanges() { send(.changed, of: run) }

  // Observing

  /// Yields when something may be different, at once and after each event. Not more often than it is taken.
  func notifications() -> AsyncStream<Void> {
    lastObserver += 1
    let number = lastObserver
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    observers[number] = continuation
    continuation.onTermination = { [weak self] _ in Task { await self?.removeObserver(number) } }
    continuation.yield()
    return stream
  }

  private func removeObserver(_ number: Int) { observers[number] = nil }

  /// The file may be opened again, and driven by another one.
  private func containerWasClosed() async {
    await stop()
    for observer in observers.values { observer.finish() }
  }

  private func notifyObservers() { for observer in observers.values { observer.yield() } }

  func status() async throws(PersistenceError) -> SyncStatus {
    var status = try await read { try $1.status() }
    status.isRunning = phase == .running
    status.error = failures.min { $0.key < $1.key }?.value
    guard status.isRunning else { return status }
    (status.isPaused, status.arriving, status.doubtful) = (machine.isPaused, machine.reading, machine.doubted)
    return status
  }

  /// Reads from the store what the machine has there, without a transaction that writes.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (SyncMachine, StoredRows) throws -> Value
  ) async throws(PersistenceError) -> Value {
    let (tables, machine) = (tables, machine)
    if !hasTables { _ = try await prepare() }
    return try await context.perform { space in
      try body(machine, StoredRows(space, RemoteWriter(space), tables))
    }
  }

  /// Forgets a report.
  func removeReport(_ number: Int64) async throws(PersistenceError) {
    try await context.persist { try StoredRows.removeReport(number, in: $0) }
    notifyObservers()
  }

  /// What merges gave up.
  package func reports() async throws(PersistenceError) -> [ConflictReport] { try await read { try $1.reports() } }

  // Events

  private func send(_ event: SyncEvent, of run: Int) { enqueue(Pending(event: event, done: nil), of: run) }

  /// Returns when the event is committed.
  func commit(_ event: SyncEvent, of run: Int) async throws(PersistenceError) {
    let result = await withCheckedContinuation { enqueue(Pending(event: event, done: $0), of: run) }
    try result.get()
  }

  /// Returns when the event of the app is committed.
  func decide(_ event: SyncEvent) async throws {
    guard phase == .running else { throw SyncError.notRunning }
    try await commit(event, of: run)
  }

  private func enqueue(_ pending: Pending, of run: Int) {
    guard phase != .stopped, run == self.run else {
      pending.done?.resume(returning: .failure(.closed))
      return
    }
    switch pending.event {
    // One look at what was changed sees all of it.
    case .changed where phase == .stopping || events.contains { $0.event == .changed }: return
    case .poll where phase == .stopping, .reconcile where phase == .stopping, .woke where phase == .stopping: return
    default: break
    }
    events.append(pending)
    if handling == nil { handling = Task { await handleEvents() } }
  }

  private func handleEvents() async {
    while !events.isEmpty {
      let pending = events.removeFirst()
      do {
        let (next, actions) = try await handled(pending.event)
        machine = next
        failures[.store] = nil
        for action in actions { carryOut(action) }
        pending.done?.resume(returning: .success(()))
      } catch {
        failures[.store] = error
        // An outcome that could not be recorded is unknown. All else is tried again.
        if pending.done == nil, !error.isClosed { retry(pending.event.whenNotStored) }
        pending.done?.resume(returning: .failure(error))
      }
      notifyObservers()
    }
    handling = nil
    resumeIfIdle()
  }

  private func handled(_ event: SyncEvent) async throws(PersistenceError) -> (SyncMachine, [SyncAction]) {
    var machine = machine
    // Then it records, and begins nothing.
    if phase != .running { machine.isPaused = true }
    let (current, tables, now) = (machine, tables, now)
    return try await context.persist { space in
      try space.applyRemote { writer in
        var next = current
        var store = StoredRows(space, writer, tables)
        let actions = try next.handle(event, at: now, &store)
        return (next, actions)
      }
    }
  }

  private func retry(_ event: SyncEvent) {
    guard phase == .running else { return }
    lastTask += 1
    retries[lastTask] = Task { [pause, run, number = lastTask] in
      do {
        try await pause(.seconds(1))
        send(event, of: run)
      } catch {
        // It was cancelled.
      }
      retries[number] = nil
    }
  }

  private func resumeIfIdle() {
    guard handling == nil, events.isEmpty, tasks.isEmpty else { return }
    for waiter in idleWaiters { waiter.resume() }
    idleWaiters = []
  }

  // Actions

  private var now: Int64 { Int64(origin.duration(to: clock.now) / .milliseconds(1)) }

  private func carryOut(_ action: SyncAction) {
    let remote = remote
    switch action {
    // The driver was stopped while the machine decided.
    case .push(let request) where phase != .running: send(.unsent(push: request.push), of: run)
    case .perform(let command) where phase != .running:
      send(.performed(command: command.id, .failed(.later(nil))), of: run)
    case _ where phase != .running: return
    case .pull(let request, let scope, let position):
      begin { driver, run in
        await driver.finish(.pull, of: run) {
          .pulled(request: request, try await remote.pull(scope, after: position))
        } failed: {
          $0 as? SyncError == .unknownPosition
            ? .unknownPosition(request: request) : .failed(request: request, remote.failure($0))
        }
      }
    case .fetch(let request, let names):
      begin { driver, run in
        await driver.finish(.fetch, of: run) {
          let (rows, missing) = try await remote.fetch(names)
          return .fetched(request: request, rows: rows, missing: missing)
        } failed: {
          .failed(request: request, remote.failure($0))
        }
      }
    case .find(let request):
      begin { [replica] driver, run in
        await driver.finish(.push, of: run) {
          let rows = try await remote.find(request, from: replica)
          return .found(push: request.push, of: request.changes.map(\.row), rows)
        } failed: {
          .ended(push: request.push, remote.failure($0))
        }
      }
    case .push(let request):
      begin { [replica] driver, run in
        await driver.finish(.push, of: run) {
          try await remote.push(request, PushAttempt(driver, request, run: run, replica: replica))
          return .ended(push: request.push, nil)
        } failed: {
          .ended(push: request.push, remote.failure($0))
        }
      }
    case .perform(let command):
      begin { [replica] driver, run in
        await driver.finish(.command, of: run) {
          .performed(command: command.id, try await remote.perform(command, from: replica))
        } failed: {
          .performed(command: command.id, .failed(remote.failure($0)))
        }
      }
    case .wake(let time): wake(at: time)
    }
  }

  private func finish(
    _ request: Request, of run: Int, _ work: @Sendable () async throws -> SyncEvent,
    failed: @Sendable (any Error) -> SyncEvent
  ) async {
    do {
      let event = try await work()
      if run == self.run { failures[request] = nil }
      send(event, of: run)
    } catch {
      if run == self.run { failures[request] = error }
      send(failed(error), of: run)
    }
  }

  private func begin(_ work: @escaping @Sendable (SyncDriver, Int) async -> Void) {
    lastTask += 1
    let number = lastTask
    tasks[number] = Task { [run] in
      await work(self, run)
      self.tasks[number] = nil
      self.resumeIfIdle()
    }
  }

  private func wake(at time: Int64) {
    timer?.cancel()
    let delay = Duration.milliseconds(max(0, time - now))
    timer = Task { [weak self, pause, run] in
      do { try await pause(delay) } catch { return }
      await self?.send(.woke, of: run)
    }
  }
}

extension SyncEvent {
  /// What to do if the event cannot be stored: what was read is read again, later.
  fileprivate var whenNotStored: SyncEvent {
    switch self {
    case .pulled(let request, _), .fetched(let request, _, _): .failed(request: request, .unknown)
    case .found(let push, _, _): .ended(push: push, .unknown)
    default: self
    }
  }
}

extension PersistenceError {
  fileprivate var isClosed: Bool { if case .closed = self { true } else { false } }
}
