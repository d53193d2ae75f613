internal import Foundation
package import Persistence

/// Runs a ``SyncMachine``: commits each event to the store, one after the other, and then carries out its actions.
///
/// It has a context of its own. The app's commits reach it by the container's commits, so nothing has to be called when
/// something was changed.
package actor SyncDriver {
  private let remote: any SyncRemote
  private let context: ObjectContext
  private let container: PersistentContainer
  private let tables: SyncedTables
  private let pause: @Sendable (Duration) async throws -> Void
  private let clock = ContinuousClock()
  private let origin: ContinuousClock.Instant
  private var machine: SyncMachine
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var lastTask = 0
  private var events: [(event: SyncEvent, done: CheckedContinuation<Result<Void, PersistenceError>, Never>?)] = []
  private var isHandling = false
  private var isRunning = false
  /// Counts starts and stops. What an earlier run leaves behind must not reach a later one.
  private var run = 0
  private var timer: Task<Void, Never>?
  private var listener: Task<Void, Never>?
  private var idleWaiters: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - classes: Those with which the container's schema was made, see ``Persistence/Schema/synchronizing(_:)``.
  ///   - pause: Waits for a time.
  package init(
    _ container: PersistentContainer, _ classes: [SyncedClass], with remote: any SyncRemote,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) throws(SyncSchemaError) {
    self.container = container
    self.remote = remote
    self.pause = pause
    tables = try SyncedTables(container.schema, classes)
    context = container.newContext()
    origin = clock.now
    machine = SyncMachine(tables.model, remote.capabilities, scopes: remote.scopes)
  }

  /// Begins to send what waits, also from earlier runs of the program, and to look for changes.
  package func start() async throws(PersistenceError) {
    guard !isRunning else { return }
    try await context.persist { try StoredRows.create(in: $0) }
    isRunning = true
    run += 1
    let commits = container.commits
    let types = tables.types
    listener = Task { [weak self] in
      for await changes in commits where types.contains(where: { changes.affects($0) }) {
        await self?.send(.changed)
      }
    }
    send(.started)
  }

  /// Ends all requests. What they have changed is settled after the next start.
  package func stop() async {
    isRunning = false
    run += 1
    listener?.cancel()
    timer?.cancel()
    for (_, done) in events { done?.resume(returning: .failure(.closed)) }
    events = []
    let running = Array(tasks.values)
    for task in running { task.cancel() }
    for task in running { await task.value }
    machine = SyncMachine(tables.model, remote.capabilities, scopes: remote.scopes)
    resumeIfIdle()
  }

  /// Sends what waits and looks for changes once. Returns when no request is in progress any more: either all is done,
  /// or what is left waits for a later attempt or for a decision.
  package func synchronize() async {
    guard isRunning else { return }
    send(.poll)
    await withCheckedContinuation { idleWaiters.append($0) }
  }

  /// What merges gave up.
  package func reports() async throws(PersistenceError) -> [ConflictReport] {
    let tables = tables
    return try await context.persist { space in
      try space.applyRemote { try StoredRows(space, $0, tables) { UUID() }.reports() }
    }
  }

  // Events

  func send(_ event: SyncEvent) { enqueue(event, nil) }

  /// Returns when the event is committed.
  func commit(_ event: SyncEvent) async throws(PersistenceError) {
    let result = await withCheckedContinuation { enqueue(event, $0) }
    try result.get()
  }

  private func enqueue(
    _ event: SyncEvent, _ done: CheckedContinuation<Result<Void, PersistenceError>, Never>?
  ) {
    guard isRunning else {
      done?.resume(returning: .failure(.closed))
      return
    }
    events.append((event, done))
    if isHandling { return }
    isHandling = true
    Task { await handleEvents() }
  }

  private func handleEvents() async {
    while !events.isEmpty {
      let (event, done) = events.removeFirst()
      let current = run
      do {
        let (next, actions) = try await handled(event)
        done?.resume(returning: .success(()))
        guard run == current else { continue }
        machine = next
        for action in actions { carryOut(action) }
      } catch {
        done?.resume(returning: .failure(error))
        // The store is busy or full. An outcome that could not be recorded is unknown; everything else is tried again.
        if run == current, done == nil { retry(event) }
      }
    }
    isHandling = false
    resumeIfIdle()
  }

  private func handled(_ event: SyncEvent) async throws(PersistenceError) -> (SyncMachine, [SyncAction]) {
    let (machine, tables, now) = (machine, tables, now)
    return try await context.persist { space in
      try space.applyRemote { writer in
        var next = machine
        var store = StoredRows(space, writer, tables) { UUID() }
        let actions = try next.handle(event, at: now, &store)
        return (next, actions)
      }
    }
  }

  private func retry(_ event: SyncEvent) {
    begin { driver in
      try? await driver.pause(.seconds(1))
      await driver.send(event)
    }
  }

  private func resumeIfIdle() {
    guard !isHandling, events.isEmpty, tasks.isEmpty else { return }
    for waiter in idleWaiters { waiter.resume() }
    idleWaiters = []
  }

  // Actions

  private var now: Int64 { Int64(origin.duration(to: clock.now) / .milliseconds(1)) }

  private func carryOut(_ action: SyncAction) {
    let remote = remote
    switch action {
    case .pull(let request, let scope, let position):
      begin { driver in
        do {
          await driver.send(.pulled(request: request, try await remote.pull(scope, after: position)))
        } catch {
          await driver.send(.failed(request: request, remote.failure(error)))
        }
      }
    case .fetch(let request, let names):
      begin { driver in
        do {
          let (rows, missing) = try await remote.fetch(names)
          await driver.send(.fetched(request: request, rows: rows, missing: missing))
        } catch {
          await driver.send(.failed(request: request, remote.failure(error)))
        }
      }
    case .find(let request):
      begin { driver in
        do {
          let rows = try await remote.find(request)
          await driver.send(.found(push: request.push, of: request.changes.map(\.row), rows))
        } catch {
          await driver.send(.ended(push: request.push, remote.failure(error)))
        }
      }
    case .push(let request):
      begin { driver in
        do {
          try await remote.push(request, PushAttempt(driver, request))
          await driver.send(.ended(push: request.push, nil))
        } catch {
          await driver.send(.ended(push: request.push, remote.failure(error)))
        }
      }
    case .wake(let time): wake(at: time)
    }
  }

  private func begin(_ work: @escaping @Sendable (SyncDriver) async -> Void) {
    lastTask += 1
    let number = lastTask
    tasks[number] = Task {
      await work(self)
      self.finish(number)
    }
  }

  private func finish(_ number: Int) {
    tasks[number] = nil
    resumeIfIdle()
  }

  private func wake(at time: Int64) {
    timer?.cancel()
    let delay = Duration.milliseconds(max(0, time - now))
    timer = Task { [weak self, pause] in
      do { try await pause(delay) } catch { return }
      await self?.send(.woke)
    }
  }
}
