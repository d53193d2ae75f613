internal import Foundation

/// Performs the decisions of ``DownloadStateMachine`` for one session: writes the journal, starts and stops transfers,
/// and delivers events.
///
/// One lock protects all state. Journal entries are appended while the lock is held, so they are stored in the order in
/// which they were decided. An append takes a few microseconds, because it passes bytes to the system without waiting
/// for the disk. Anything that can run client code happens after the lock is released (``Effects``).
final class DownloadCore: Sendable {
  typealias ID = DownloadStateMachine.ID
  typealias EventWaiter = Promise<DownloadEvent?>
  typealias ResultWaiter = Promise<Result<EventRecord.Outcome, DownloadSessionError>>

  struct State {
    var downloads: DownloadStateMachine
    var journal: Journal
    var transfers: [ID: Task<Void, Never>] = [:]
    var waits: [ID: Task<Void, Never>] = [:]
    var eventWaiters: [(waiter: EventWaiter, endsWhenIdle: Bool)] = []
    var resultWaiters: [ID: [ResultWaiter]] = [:]
    var handlers: [@Sendable () async -> Void] = []
    var pendingSync = PendingSync()
    /// Events that wait for the disk.
    var heldEvents: Set<UInt64> = []
    var flushTask: Task<Void, Never>?
    var isFlushDelayed = false
    /// Whether the last sync failed. The next one is then not urgent.
    var hasSyncFailed = false
    var closing: Task<Void, Never>?
    var isReleased = false
    /// nil while the session is suspended, and after it was closed.
    var lock: SessionLock?
    /// Whether the session is suspended, or is about to be.
    var isSuspended = false
    /// Events that were acknowledged while the journal could not be written.
    var acknowledged: [UInt64] = []
    /// The last suspension or resumption.
    var lastTransition: Task<Void, Never>?
    var journalName: String

    /// Whether no event will become available unless a download is started or resumed.
    var expectsNoEvent: Bool { heldEvents.isEmpty && !downloads.isInProgress }
    var isStopped: Bool { isClosed || isSuspended }
    var isClosed: Bool { closing != nil }

    /// The tasks that use the session's files.
    var work: [Task<Void, Never>] { Array(waits.values) + transfers.values + (flushTask.map { [$0] } ?? []) }
  }

  /// The session whose provider is running.
  @TaskLocal static var providerSession: ObjectIdentifier?

  let configuration: DownloadSession.Configuration
  let files: SessionFiles
  let hub = ProgressHub()
  let executor = DiskExecutor()
  let corruptJournalBytes: Int
  private let state: Lock<State>

  var journalName: String { state.withLock { $0.journalName } }

  var time: TimeSource { configuration.client.pipeline.time }

  /// Waits for the disk.
  init(_ files: SessionFiles, _ configuration: DownloadSession.Configuration) throws(DownloadSessionError) {
    self.files = files
    self.configuration = configuration
    try Self.makeFolders(files, configuration)
    let opening = try Opening(files, configuration)
    corruptJournalBytes = opening.corruptBytes
    state = Lock(
      State(
        downloads: opening.makeStateMachine(configuration), journal: opening.journal, journalName: opening.journalName))
    let moves = sync(moved: opening.moved)
    update { state, effects in continueWork(of: opening, moves, &state, &effects) }
  }

  func start(
    _ request: StoredRequest, named name: String, _ options: DownloadOptions
  ) throws(DownloadSessionError) -> DownloadSession.Start {
    let destination = options.destination.map(files.stored) ?? files.defaultDestination(for: name)
    return try update { (state, effects) throws(DownloadSessionError) in
      try Self.checkRunning(state)
      let (start, actions) = state.downloads.start(
        request, named: name, priority: options.priority, destination: destination, digest: options.digest)
      guard let failure = perform(actions, &state, &effects, stopsAtFailure: start == .started) else { return start }
      if start == .started, let record = state.downloads.record(named: name) {
        _ = perform(state.downloads.withdraw(record.id), &state, &effects)
      }
      throw .storage(failure)
    }
  }

  func tasks() -> [DownloadTask] {
    update { state, _ in state.downloads.records.map { task($0, state) } }
  }

  func task(named name: String) -> DownloadTask? {
    update { state, _ in state.downloads.record(named: name).map { task($0, state) } }
  }

  func change(
    _ name: String, _ change: (inout DownloadStateMachine, ID) -> [DownloadStateMachine.Action]
  ) throws(DownloadSessionError) {
    try update { (state, effects) throws(DownloadSessionError) in
      try Self.checkRunning(state)
      guard let record = state.downloads.record(named: name) else { throw .unknownDownload(name: name) }
      let failure = perform(change(&state.downloads, record.id), &state, &effects)
      if let failure { throw .storage(failure) }
    }
  }

  /// Waits for the end of a download and returns its outcome.
  func outcome(of name: String) async throws(DownloadSessionError) -> EventRecord.Outcome {
    let waiter = ResultWaiter()
    update { state, effects in
      switch status(of: name, state) {
      case .ended(let result): effects.add { waiter.set(result) }
      case .inProgress(let id): state.resultWaiters[id, default: []].append(waiter)
      }
    }
    return try await withTaskCancellationHandler {
      await waiter.take()
    } onCancel: {
      waiter.set(.failure(.cancelled))
      update { state, _ in
        for id in state.resultWaiters.keys { state.resultWaiters[id]?.removeAll { $0 === waiter } }
      }
    }.get()
  }

  func progress(of name: String) -> AsyncStream<DownloadProgress> {
    update { state, _ in
      guard case .inProgress(let id) = status(of: name, state) else { return AsyncStream { $0.finish() } }
      return hub.stream(of: id)
    }
  }

  /// Whether nothing is in progress and every event has been acknowledged.
  var isIdle: Bool { update { state, _ in state.downloads.isIdle } }

  /// Stops all work, which continues when the session is opened again, and releases the files. All of that is done when
  /// this returns, no matter which call started it.
  func close() async {
    let closing = update { state, _ in
      if let closing = state.closing { return closing }
      let (tasks, last) = (state.work, state.lastTransition)
      let closing = Task(executorPreference: executor) {
        await last?.value
        await self.close(ending: tasks)
      }
      state.closing = closing
      return closing
    }
    // Closing waits for the transfer, and the transfer waits for the provider that made this call.
    if Self.providerSession == ObjectIdentifier(self) { return }
    await closing.value
  }

  private func close(ending tasks: [Task<Void, Never>]) async {
    // The journal of a suspended session may be in use by another process.
    if update({ state, _ in state.lock != nil }) { await releaseFiles(ending: tasks) }
    update { state, effects in
      state.isReleased = true
      for (waiter, _) in state.eventWaiters { effects.add { waiter.set(nil) } }
      for waiter in state.resultWaiters.values.joined() { effects.add { waiter.set(.failure(.closed)) } }
      (state.eventWaiters, state.resultWaiters, state.handlers) = ([], [:], [])
    }
    for continuation in hub.end(nil) { continuation.finish() }
  }

  private enum Status {
    case inProgress(ID)
    case ended(Result<EventRecord.Outcome, DownloadSessionError>)
  }

  private func status(of name: String, _ state: State) -> Status {
    guard !state.isClosed else { return .ended(.failure(.closed)) }
    guard let record = state.downloads.record(named: name) else {
      return .ended(.failure(.unknownDownload(name: name)))
    }
    return outcome(of: record, state).map { .ended(.success($0)) } ?? .inProgress(record.id)
  }

  /// The outcome of a download that is over, unless its event is held back.
  func outcome(of record: DownloadRecord, _ state: State) -> EventRecord.Outcome? {
    switch record.phase {
    case .finished(let placement) where !state.heldEvents.contains(placement.event):
      EventRecord(record, placement).outcome
    case .failed(let failure): .failed(failure)
    case .finished, .active, .paused, .moving: nil
    }
  }

  private func task(_ record: DownloadRecord, _ state: State) -> DownloadTask {
    let doing: DownloadTask.State =
      switch (record.phase, state.downloads.activity(of: record.id)) {
      case (.paused, _): .paused
      case (.finished, _): .finished
      case (.failed(let failure), _): .failed(failure)
      case (.moving, _), (.active, .running): state.isSuspended ? .waiting : .running
      case (.active, .waitingToRetry): state.isSuspended ? .waiting : .waitingToRetry
      case (.active, _): .waiting
      }
    let received = doing == .running ? hub.received(of: record.id) : nil
    return DownloadTask(record, state: doing, received: received ?? record.received, in: files)
  }
}

extension DownloadCore {
  /// Work to do after the lock is released, in order.
  struct Effects {
    private var steps: [() -> Void] = []

    mutating func add(_ step: @escaping () -> Void) {
      steps.append(step)
    }

    func run() {
      for step in steps { step() }
    }
  }

  func update<Value, Failure: Error>(
    _ body: (inout State, inout Effects) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var effects = Effects()
    defer { effects.run() }
    return try state.withLock { state throws(Failure) in
      defer {
        deliverEvents(&state, &effects)
        scheduleFlush(&state, &effects)
      }
      return try body(&state, &effects)
    }
  }

  /// Performs the state machine's actions, and returns the first failure.
  @discardableResult
  func change(_ decide: (inout State) -> [DownloadStateMachine.Action]) -> DownloadError? {
    update { state, effects in perform(decide(&state), &state, &effects) }
  }

  func perform(
    _ actions: [DownloadStateMachine.Action], _ state: inout State, _ effects: inout Effects,
    stopsAtFailure: Bool = false
  ) -> DownloadError? {
    var first: DownloadError?
    for action in actions {
      do throws(DownloadError) {
        try perform(action, &state, &effects)
      } catch {
        first = first ?? error
        if stopsAtFailure { return error }
      }
    }
    return first
  }

  private func perform(
    _ action: DownloadStateMachine.Action, _ state: inout State, _ effects: inout Effects
  ) throws(DownloadError) {
    switch action {
    case .append(let entries):
      configuration.atPoint?(.beforeAppend)
      try state.journal.append(entries)
      configuration.atPoint?(.afterAppend)
    case .note(let entries): state.journal.note(entries)
    case .begin(let id): begin(id, &state)
    case .stop(let id): if let transfer = state.transfers[id] { effects.add { transfer.cancel() } }
    case .wait(let id, let delay): wait(id, delay, &state)
    case .endWait(let id): if let wait = state.waits.removeValue(forKey: id) { effects.add { wait.cancel() } }
    case .removePart(let number): try DiskFolder.remove(files.part(number))
    case .deliver(let event): deliver(event, &state, &effects)
    case .forgotten(let id, let name):
      endWaits(for: id, with: .failure(.unknownDownload(name: name)), &state, &effects)
    }
  }
}
