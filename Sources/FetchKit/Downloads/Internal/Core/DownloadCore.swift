internal import Foundation

/// Performs the decisions of ``DownloadStateMachine`` for one session: writes the journal, starts and stops transfers,
/// and delivers events.
///
/// One lock protects all state. Journal entries are appended while the lock is held, so they are stored in the order in
/// which they were decided. An append takes a few microseconds, because it passes bytes to the system without waiting
/// for the disk. Anything that can run client code happens after the lock is released (``Effects``).
final class DownloadCore: Sendable {
  typealias ID = DownloadStateMachine.ID
  typealias EventWaiter = CheckedContinuation<DownloadEvent?, Never>
  typealias ResultWaiter = CheckedContinuation<Result<EventRecord.Outcome, DownloadSessionError>, Never>

  struct State {
    var board: DownloadStateMachine
    var journal: Journal
    var transfers: [ID: Task<Void, Never>] = [:]
    var waits: [ID: Task<Void, Never>] = [:]
    var eventWaiters: [(number: Int, waiter: EventWaiter)] = []
    var resultWaiters: [ID: [(number: Int, waiter: ResultWaiter)]] = [:]
    var handlers: [@Sendable () async -> Void] = []
    var nextWaiter = 0
    var unsettled = PendingSync()
    /// Events that wait for the disk.
    var held: Set<UInt64> = []
    var settling: Task<Void, Never>?
    var isSettlingLater = false
    /// Whether the last sync failed. The next one is then not urgent.
    var hasDiskRefused = false
    var closing: Task<Void, Never>?
    var isReleased = false

    var isClosed: Bool { closing != nil }

    mutating func takeWaiterNumber() -> Int {
      nextWaiter += 1
      return nextWaiter
    }
  }

  /// The session whose provider is running.
  @TaskLocal static var askingProvider: ObjectIdentifier?

  let configuration: DownloadSession.Configuration
  let files: SessionFiles
  let folders: PreparedFolders
  let hub = ProgressHub()
  let executor = DiskExecutor()
  let journalName: String
  let corruptJournalBytes: Int
  private let lock: SessionLock
  private let state: Lock<State>

  var time: TimeSource { configuration.client.pipeline.time }

  /// Waits for the disk.
  init(_ files: SessionFiles, _ configuration: DownloadSession.Configuration) throws(DownloadSessionError) {
    self.files = files
    self.configuration = configuration
    try DownloadSessionError.asStorage { () throws(DownloadError) in
      try DiskFolder.make(files.parts)
      try DiskFolder.make(files.files.path(percentEncoded: false))
    }
    folders = PreparedFolders(on: files.parts)
    lock = try SessionLock(files.lock)
    let (journal, opening) = try Journal.open(files.journal, newJournal: .random(in: 1 ... .max))
    journalName = String(opening.state.journal, radix: 16)
    corruptJournalBytes = opening.corruptBytes
    let boot = configuration.boot
    let findings = PlacementFindings(opening.state, files, isSameBoot: boot != nil && boot == opening.state.boot)
    let board = DownloadStateMachine(
      opening.state, opening: .random(in: 0 ... .max), limit: configuration.maxConcurrentDownloads,
      policy: configuration.client.configuration.retry)
    state = Lock(State(board: board, journal: journal))
    try DownloadSessionError.asStorage { () throws(DownloadError) in
      try Self.sweep(files, keeping: opening.state.records.values, of: journalName)
    }
    let moves = settle(moved: findings.moved.sorted().compactMap { opening.state.records[$0] })
    change { state in
      state.unsettled = moves.unsettled
      var actions = state.board.open(moved: moves.finished, lost: findings.lost)
      actions += state.board.settled(moves.settled)
      // Last, so that if the program is killed before this point, the next one checks the files again.
      if let boot, boot != opening.state.boot { actions += state.board.begin(boot: boot) }
      return actions
    }
  }

  func start(
    _ request: StoredRequest, named name: String, _ options: DownloadOptions
  ) throws(DownloadSessionError) -> DownloadStateMachine.Start {
    let destination = options.destination.map(files.stored) ?? files.defaultDestination(for: name)
    return try update { (state, effects) throws(DownloadSessionError) in
      guard !state.isClosed else { throw .closed }
      let (start, actions) = state.board.start(
        request, named: name, priority: options.priority, destination: destination, digest: options.digest)
      guard let failure = perform(actions, &state, &effects, stopsAtFailure: start == .started) else { return start }
      if start == .started, let record = state.board.record(named: name) {
        _ = perform(state.board.withdraw(record.id), &state, &effects)
      }
      throw .storage(failure)
    }
  }

  func tasks() -> [DownloadTask] {
    update { state, _ in state.board.records.map { task($0, state) } }
  }

  func task(named name: String) -> DownloadTask? {
    update { state, _ in state.board.record(named: name).map { task($0, state) } }
  }

  func change(
    _ name: String, _ change: (inout DownloadStateMachine, ID) -> [DownloadStateMachine.Action]
  ) throws(DownloadSessionError) {
    try update { (state, effects) throws(DownloadSessionError) in
      guard !state.isClosed else { throw .closed }
      guard let record = state.board.record(named: name) else { throw .unknownDownload(name: name) }
      let failure = perform(change(&state.board, record.id), &state, &effects)
      if let failure { throw .storage(failure) }
    }
  }

  func setLimit(_ limit: Int) {
    change { $0.board.setLimit(limit) }
  }

  /// Waits for the end of a download and returns its outcome.
  func outcome(of name: String) async throws(DownloadSessionError) -> EventRecord.Outcome {
    let number = update { state, _ in state.takeWaiterNumber() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        update { state, effects in
          switch standing(of: name, state) {
          case .over(let result): effects.add { waiter.resume(returning: result) }
          case .underWay where Task.isCancelled: effects.add { waiter.resume(returning: .failure(.cancelled)) }
          case .underWay(let id): state.resultWaiters[id, default: []].append((number, waiter))
          }
        }
      }
    } onCancel: {
      withdraw(resultWaiter: number)
    }
    return try result.get()
  }

  func progress(of name: String) -> AsyncStream<DownloadProgress> {
    update { state, _ in
      guard case .underWay(let id) = standing(of: name, state) else { return AsyncStream { $0.finish() } }
      return hub.stream(of: id)
    }
  }

  /// Whether nothing is in progress and every event has been acknowledged.
  var isIdle: Bool { update { state, _ in state.board.isIdle } }

  /// Stops all work, which continues when the session is opened again, and releases the files. All of that is done when
  /// this returns, no matter which call started it.
  func close() async {
    let closing = update { state, _ in
      if let closing = state.closing { return closing }
      let tasks = Array(state.waits.values) + state.transfers.values + (state.settling.map { [$0] } ?? [])
      let closing = Task(executorPreference: executor) { await self.close(ending: tasks) }
      state.closing = closing
      return closing
    }
    // Closing waits for the transfer, and the transfer waits for the provider that made this call.
    if Self.askingProvider == ObjectIdentifier(self) { return }
    await closing.value
  }

  private func close(ending tasks: [Task<Void, Never>]) async {
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    settle()
    update { state, effects in
      state.isReleased = true
      for (_, waiter) in state.eventWaiters { effects.add { waiter.resume(returning: nil) } }
      for (_, waiter) in state.resultWaiters.values.joined() {
        effects.add { waiter.resume(returning: .failure(.closed)) }
      }
      (state.eventWaiters, state.resultWaiters, state.handlers) = ([], [:], [])
    }
    for continuation in hub.end(nil) { continuation.finish() }
    lock.release()
  }

  /// Removes parts that belong to no download, and copies of parts that were never moved into place.
  private static func sweep(
    _ files: SessionFiles, keeping records: some Collection<DownloadRecord>, of journal: String
  ) throws(DownloadError) {
    let parts = Set(records.map(\.part))
    for name in try DiskFolder.names(in: files.parts) {
      let number = name.hasSuffix(".part") ? UInt64(name.dropLast(5)) : nil
      if let number, parts.contains(number) { continue }
      if let copy = StagedCopy(note: name, files, journal: journal) {
        copy.removeIfPossible()
      } else {
        DiskFolder.removeIfPossible("\(files.parts)/\(name)")
      }
    }
  }

  private enum Standing {
    case underWay(ID)
    case over(Result<EventRecord.Outcome, DownloadSessionError>)
  }

  private func standing(of name: String, _ state: State) -> Standing {
    guard !state.isClosed else { return .over(.failure(.closed)) }
    guard let record = state.board.record(named: name) else {
      return .over(.failure(.unknownDownload(name: name)))
    }
    switch record.phase {
    case .finished(let placement) where !state.held.contains(placement.event):
      return .over(.success(EventRecord(record, placement).outcome))
    case .failed(let failure): return .over(.success(.failed(failure)))
    case .finished, .active, .paused, .moving: return .underWay(record.id)
    }
  }

  private func task(_ record: DownloadRecord, _ state: State) -> DownloadTask {
    let doing: DownloadTask.State =
      switch (record.phase, state.board.activity(of: record.id)) {
      case (.paused, _): .paused
      case (.finished, _): .finished
      case (.failed(let failure), _): .failed(failure)
      case (.moving, _), (.active, .running): .running
      case (.active, .waitingToRetry): .waitingToRetry
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
        handOut(&state, &effects)
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
      let (watchers, waiters) = (hub.end(id), state.resultWaiters.removeValue(forKey: id) ?? [])
      effects.add {
        for watcher in watchers { watcher.finish() }
        for (_, waiter) in waiters { waiter.resume(returning: .failure(.unknownDownload(name: name))) }
      }
    }
  }
}
