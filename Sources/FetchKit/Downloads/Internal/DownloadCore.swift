internal import Foundation

/// Performs what ``DownloadBoard`` decides for one session, on a queue of its own: writes the journal, begins and stops
/// transfers, hands out events.
actor DownloadCore {
  private static let syncPeriod = Duration.milliseconds(100)

  private typealias EventWaiter = CheckedContinuation<DownloadEvent?, Never>
  private typealias ResultWaiter = CheckedContinuation<Result<EventRecord.Outcome, DownloadError>, Never>

  nonisolated let configuration: DownloadSession.Configuration
  nonisolated let files: SessionFiles
  nonisolated let hub = ProgressHub()
  nonisolated let journalName: String
  nonisolated let damagedJournalBytes: Int
  private nonisolated let queue: DiskQueue
  private let lock: SessionLock
  private var journal: Journal
  private var board: DownloadBoard
  /// What is to be done first; nil once it is done.
  private var moved: Set<DownloadBoard.ID>?
  private var transfers: [DownloadBoard.ID: Task<Void, Never>] = [:]
  private var waits: [DownloadBoard.ID: Task<Void, Never>] = [:]
  private var eventWaiters: [(number: Int, waiter: EventWaiter)] = []
  private var resultWaiters: [String: [ResultWaiter]] = [:]
  private var handlers: [@Sendable () async -> Void] = []
  private var nextWaiter = 0
  private var unsyncedFolders: Set<String> = []
  private var lastSync: Duration?
  private var isClosed = false
  private var isReleased = false
  private nonisolated let done = Lock<[UInt64]>([])

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(_ files: SessionFiles, _ configuration: DownloadSession.Configuration) throws(DownloadError) {
    self.files = files
    self.configuration = configuration
    queue = DiskQueue("larder.downloads")
    try DownloadError.asStorage { () throws(DownloadFailure) in
      try DiskFolder.make(files.parts)
      try DiskFolder.make(files.files.path(percentEncoded: false))
    }
    lock = try SessionLock(files.lock)
    let (journal, opening) = try Journal.open(files.journal, newJournal: .random(in: 1 ... .max))
    self.journal = journal
    journalName = String(opening.state.journal, radix: 16)
    damagedJournalBytes = opening.damagedBytes
    board = DownloadBoard(
      opening.state, opening: .random(in: 0 ... .max), limit: configuration.limit,
      policy: configuration.client.configuration.retry)
    try DownloadError.asStorage { () throws(DownloadFailure) in
      try Self.sweep(files, keeping: Set(opening.state.records.values.map(\.part)))
    }
    moved = Self.moved(files, opening.state)
  }

  /// Takes up what an earlier program left. Everything else does it first, so that the order of calls makes no difference.
  func open() {
    guard let moved else { return }
    self.moved = nil
    perform(board.open(moved: moved))
  }

  func start(
    _ request: StoredRequest, named name: String, _ options: DownloadOptions
  ) throws(DownloadError) -> DownloadBoard.Start {
    try checkOpen()
    let destination = options.destination.map(files.stored) ?? files.defaultDestination(for: name)
    let (start, actions) = board.start(
      request, named: name, priority: options.priority, destination: destination, digest: options.digest)
    if let failure = perform(actions, stopsAtFailure: true) {
      if let record = board.record(named: name) { perform(board.forget(record.id)) }
      throw .storage(failure)
    }
    return start
  }

  func tasks() -> [DownloadTask] {
    open()
    return board.records.map(task)
  }

  func task(named name: String) -> DownloadTask? {
    open()
    return board.record(named: name).map(task)
  }

  func change(
    _ name: String, _ change: @Sendable (inout DownloadBoard, DownloadBoard.ID) -> [DownloadBoard.Action]
  ) throws(DownloadError) {
    try checkOpen()
    guard let record = board.record(named: name) else { throw .unknownDownload(name: name) }
    if let failure = perform(change(&board, record.id)) { throw .storage(failure) }
    callHandlersIfIdle()
  }

  func setLimit(_ limit: Int) {
    open()
    perform(board.setLimit(limit))
  }

  /// How a download ended, as soon as it has.
  func outcome(of name: String) async throws(DownloadError) -> EventRecord.Outcome {
    try checkOpen()
    guard let record = board.record(named: name) else { throw .unknownDownload(name: name) }
    switch record.phase {
    case .finished(let length):
      return .finished(path: record.destination, length: length, suggestedFileName: record.suggestedFileName)
    case .failed(let failure): return .failed(failure)
    case .active, .paused, .moving: break
    }
    let result = await withCheckedContinuation { resultWaiters[name, default: []].append($0) }
    return try result.get()
  }

  /// Whether nothing is under way and everything that ended has been acknowledged.
  var isIdle: Bool { board.isIdle }

  /// Calls the handler, once, when nothing is left to do.
  func whenIdle(_ handler: @escaping @Sendable () async -> Void) {
    open()
    handlers.append(handler)
    callHandlersIfIdle()
  }

  /// Stops everything, which goes on when the session is opened again, and lets go of the files.
  func close() async {
    open()
    guard !isClosed else { return }
    isClosed = true
    for wait in waits.values { wait.cancel() }
    for transfer in transfers.values { transfer.cancel() }
    for transfer in transfers.values { await transfer.value }
    acknowledgeDone()
    isReleased = true
    sync()
    for (_, waiter) in eventWaiters { waiter.resume(returning: nil) }
    for waiter in resultWaiters.values.joined() { waiter.resume(returning: .failure(.closed)) }
    (eventWaiters, resultWaiters, handlers) = ([], [:], [])
    hub.end(nil)
    lock.release()
  }

  private func checkOpen() throws(DownloadError) {
    guard !isClosed else { throw .closed }
    open()
  }

  private func task(_ record: DownloadRecord) -> DownloadTask {
    let state: DownloadTask.State =
      switch (record.phase, board.activity(of: record.id)) {
      case (.paused, _): .paused
      case (.finished, _): .finished
      case (.failed(let failure), _): .failed(failure)
      case (.moving, _), (.active, .running): .running
      case (.active, .waitingToRetry): .waitingToRetry
      case (.active, _): .waiting
      }
    let received = state == .running ? hub.received(of: record.name) : nil
    return DownloadTask(record, state: state, received: received ?? record.received, in: files)
  }
}

extension DownloadCore {
  func received(
    _ bytes: Int64, of id: DownloadBoard.ID, part: UInt64, total: Int64?, validator: Validator?,
    suggestedFileName: String?
  ) {
    perform(
      board.received(
        bytes, of: id, part: part, total: total, validator: validator, suggestedFileName: suggestedFileName))
  }

  func startOver(_ id: DownloadBoard.ID, part: UInt64) -> UInt64? {
    let (number, actions) = board.startOver(id, part: part)
    perform(actions)
    return number
  }

  func willMove(_ id: DownloadBoard.ID, part: UInt64, inode: UInt64, length: Int64) -> Bool {
    let (isWanted, actions) = board.willMove(id, part: part, inode: inode, length: length)
    perform(actions)
    return isWanted
  }

  /// A file was moved into that folder.
  func didMove(into folder: String) {
    unsyncedFolders.insert(folder)
  }

  /// The next event that nobody was given; nil when the task is cancelled or the session closed.
  func nextEvent() async -> DownloadEvent? {
    open()
    guard !isClosed, !Task.isCancelled else { return nil }
    if let event = board.takeEvent() { return hand(event) }
    nextWaiter += 1
    let number = nextWaiter
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        // Nothing else runs here between the call and this line, so that a withdrawal comes afterwards.
        eventWaiters.append((number, waiter))
      }
    } onCancel: {
      Task { await self.withdraw(number) }
    }
  }

  /// Gives back an event that could not be handed over.
  func giveBack(_ event: DownloadEvent) {
    board.returnEvent(event.number)
    handOut()
  }

  private func withdraw(_ number: Int) {
    guard let index = eventWaiters.firstIndex(where: { $0.number == number }) else { return }
    eventWaiters.remove(at: index).waiter.resume(returning: nil)
  }

  /// Remembers at once what is acknowledged, so that closing the session afterwards does not overtake it.
  private nonisolated func noteDone(_ number: UInt64) {
    done.withLock { $0.append(number) }
    Task { await acknowledgeDone() }
  }

  private func acknowledgeDone() {
    guard !isReleased else { return }
    let numbers = done.withLock { done in
      defer { done = [] }
      return done
    }
    for number in numbers { perform(board.acknowledge(number)) }
    callHandlersIfIdle()
  }

  private func handOut() {
    while !eventWaiters.isEmpty, let event = board.takeEvent() {
      eventWaiters.removeFirst().waiter.resume(returning: hand(event))
    }
  }

  private func hand(_ event: EventRecord) -> DownloadEvent {
    syncSometimes()
    let result: Result<DownloadedFile, DownloadFailure> =
      switch event.outcome {
      case .failed(let failure): .failure(failure)
      case .finished(let path, let length, let suggested):
        .success(DownloadedFile(url: files.url(stored: path), byteCount: length, suggestedFileName: suggested))
      }
    return DownloadEvent(
      name: event.name, result: result, number: event.number,
      token: DownloadEvent.Token(opening: event.opening, number: event.number)
    ) { [weak self] in self?.noteDone(event.number) }
  }

  /// Brings to the disk what ended, but not for each event by itself: a sync takes longer than a small download.
  private func syncSometimes() {
    let now = configuration.client.pipeline.time.now()
    if let lastSync, now - lastSync < Self.syncPeriod { return }
    lastSync = now
    sync()
  }

  private func sync() {
    do throws(DownloadFailure) {
      for folder in unsyncedFolders { try DiskFolder.sync(folder) }
      unsyncedFolders = []
      try journal.sync(board.state)
    } catch {
      // The disk then says what it said before, which is true, if older.
    }
  }

  private func callHandlersIfIdle() {
    guard !handlers.isEmpty, board.isIdle else { return }
    let handlers = handlers
    self.handlers = []
    for handler in handlers { Task { await handler() } }
  }
}

extension DownloadCore {
  @discardableResult
  private func perform(_ actions: [DownloadBoard.Action], stopsAtFailure: Bool = false) -> DownloadFailure? {
    var first: DownloadFailure?
    for action in actions {
      do throws(DownloadFailure) {
        try perform(action)
      } catch {
        first = first ?? error
        if stopsAtFailure { return error }
      }
    }
    return first
  }

  private func perform(_ action: DownloadBoard.Action) throws(DownloadFailure) {
    switch action {
    case .append(let entries):
      configuration.atPoint?(.beforeAppend)
      try journal.append(entries, state: board.state)
      configuration.atPoint?(.afterAppend)
    case .begin(let id): begin(id)
    case .stop(let id): transfers[id]?.cancel()
    case .wait(let id, let delay): wait(id, delay)
    case .endWait(let id): waits.removeValue(forKey: id)?.cancel()
    case .removePart(let number): try DiskFolder.remove(files.part(number))
    case .deliver(let event):
      hub.end(event.name)
      for waiter in resultWaiters.removeValue(forKey: event.name) ?? [] {
        waiter.resume(returning: .success(event.outcome))
      }
      handOut()
    case .forgotten(let name):
      hub.end(name)
      for waiter in resultWaiters.removeValue(forKey: name) ?? [] {
        waiter.resume(returning: .failure(.unknownDownload(name: name)))
      }
    }
  }

  private func begin(_ id: DownloadBoard.ID) {
    guard !isClosed, let record = board.state.records[id] else { return }
    let transfer = DownloadTransfer(record, self)
    transfers[id] = Task {
      let end = await transfer.perform()
      self.ended(id, end)
    }
  }

  private func ended(_ id: DownloadBoard.ID, _ end: DownloadBoard.End) {
    transfers[id] = nil
    let client = configuration.client
    let policy = client.configuration.retry
    let origin = board.state.records[id]?.request.url.origin ?? ""
    perform(
      board.ended(id, end, random: client.configuration.random()) {
        policy.budget.map { client.pipeline.budgets.takeRetry(to: origin, $0, now: client.pipeline.time.now()) } ?? true
      })
    callHandlersIfIdle()
  }

  private func wait(_ id: DownloadBoard.ID, _ delay: Duration) {
    let time = configuration.client.pipeline.time
    waits[id] = Task {
      do {
        try await time.sleep(delay)
      } catch {
        return
      }
      self.waited(id)
    }
  }

  private func waited(_ id: DownloadBoard.ID) {
    waits[id] = nil
    guard !isClosed else { return }
    perform(board.waited(id))
  }

  /// Removes parts that no download has.
  private static func sweep(_ files: SessionFiles, keeping parts: Set<UInt64>) throws(DownloadFailure) {
    for name in try DiskFolder.names(in: files.parts) {
      let number = name.hasSuffix(".part") ? UInt64(name.dropLast(5)) : nil
      if let number, parts.contains(number) { continue }
      try DiskFolder.remove("\(files.parts)/\(name)")
    }
  }

  /// The downloads that were moved into place just before the process ended: the file there is the part that was.
  private static func moved(_ files: SessionFiles, _ state: JournalState) -> Set<DownloadBoard.ID> {
    let moved = state.records.values.filter { record in
      guard case .moving(let inode, let length) = record.phase,
        let found = DiskFolder.status(files.path(stored: record.destination))
      else { return false }
      return found.inode == inode && found.length == length
    }
    return Set(moved.map(\.id))
  }
}
