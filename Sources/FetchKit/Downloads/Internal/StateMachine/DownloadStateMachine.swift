/// The state of all downloads of a session, and what to do next: a pure state machine.
///
/// Its methods change the state and return actions that must be performed in order: an entry is written to the journal
/// before anything that depends on it. Time, randomness, network and files are handled elsewhere.
struct DownloadStateMachine {
  typealias ID = UInt64

  enum Action: Equatable {
    /// Write the entries to the journal as one frame.
    case append([JournalEntry])
    /// Write the entries together with the next ones. Until then, the journal describes an equivalent state.
    case note([JournalEntry])
    /// Start to download.
    case begin(ID)
    /// Stop the transfer; ``ended(_:_:random:takeBudget:)`` follows.
    case stop(ID)
    /// Call ``waited(_:)`` after this time.
    case wait(ID, Duration)
    case endWait(ID)
    case removePart(UInt64)
    /// Make an event available through ``offer(_:)``.
    case deliver(EventRecord)
    /// A download was forgotten; its end will not be reported.
    case forgotten(ID, name: String)
  }

  /// What a transfer is doing, beyond what the journal records.
  enum Activity: Equatable {
    case idle
    case waiting
    case running
    case waitingToRetry
  }

  struct Item {
    var activity = Activity.idle
    var turn = 0
    var retry: RetryState
    /// The most bytes received since the retry count was last reset.
    var best: Int64
  }

  var state: JournalState
  let opening: UInt64
  let policy: RetryPolicy
  var limit: Int
  var items: [ID: Item] = [:]
  var names: [String: ID] = [:]
  /// Transfers that have not ended yet, including those of forgotten downloads.
  var transfers: Set<ID> = []
  var undelivered: FIFO<UInt64> = FIFO()
  var pending: [RequestPriority: FIFO<(id: ID, turn: Int)>] = [:]
  var turns = 0

  /// - Parameter opening: A number that no other opening of the journal has used.
  init(_ state: JournalState, opening: UInt64, limit: Int, policy: RetryPolicy) {
    self.state = state
    self.opening = opening
    self.limit = max(1, limit)
    self.policy = policy
    for record in state.records.values {
      items[record.id] = makeItem(record)
      names[record.name] = max(record.id, names[record.name] ?? 0)
    }
    for number in state.events.keys.sorted() { undelivered.append(number) }
  }

  /// Whether nothing is in progress and every event has been acknowledged.
  var isIdle: Bool {
    transfers.isEmpty && state.events.isEmpty && items.values.allSatisfy { $0.activity == .idle }
  }

  /// Whether a download will end without being started or resumed.
  var isInProgress: Bool {
    state.records.values.contains { record in
      switch record.phase {
      case .active, .moving: true
      case .paused, .finished, .failed: false
      }
    }
  }

  var records: [DownloadRecord] { state.records.values.sorted { $0.id < $1.id } }

  func record(named name: String) -> DownloadRecord? { names[name].flatMap { state.records[$0] } }

  func activity(of id: ID) -> Activity { items[id]?.activity ?? .idle }

  func isCurrent(_ id: ID, part: UInt64) -> Bool { state.records[id]?.part == part }

  /// Records that the machine has been restarted since the journal was written.
  mutating func begin(boot: String) -> [Action] {
    [commit([.boot(boot)])]
  }

  /// Resumes the work that an earlier process left unfinished.
  ///
  /// - Parameters:
  ///   - moved: Downloads whose part file had already been moved into place when the earlier process ended.
  ///   - lost: Downloads whose complete file was lost when the machine lost power or was restarted.
  mutating func open(moved: Set<ID>, lost: Set<ID> = []) -> [Action] {
    var actions: [Action] = []
    for record in records {
      switch record.phase {
      case .moving where moved.contains(record.id):
        // The part still exists if the file was copied to another volume.
        actions += finish(record) + [.removePart(record.part)]
      case .moving where !lost.contains(record.id):
        actions += change(record.id) { $0.phase = .active }
        enqueue(record.id)
      case .moving, .finished:
        guard lost.contains(record.id) else { break }
        actions += fetchAgain(record)
        enqueue(record.id)
      case .active: enqueue(record.id)
      case .paused, .failed: break
      }
    }
    return actions + schedule()
  }

  /// Starts a download, or joins the existing download with this name.
  mutating func start(
    _ request: StoredRequest, named name: String, priority: RequestPriority, destination: String,
    digest: DownloadDigest?
  ) -> (DownloadSession.Start, [Action]) {
    var actions: [Action] = []
    if var record = record(named: name) {
      switch record.phase {
      case .active, .moving, .paused: return (.joined, resume(record.id))
      case .failed(let failure) where failure.keepsPartialFile && record.request == request && record.digest == digest:
        record.phase = .active
        record.priority = priority
        record.destination = destination
        items[record.id] = makeItem(record)
        enqueue(record.id)
        return (.continued, [commit([.record(record)])] + schedule())
      case .failed, .finished:
        remove(record)
        actions.append(commit([.removed(download: record.id)]))
        actions.append(.removePart(record.part))
      }
    }
    let id = state.takeNumber()
    let record = DownloadRecord(
      id: id, name: name, request: request, priority: priority, destination: destination, digest: digest,
      part: state.takeNumber())
    items[id] = makeItem(record)
    names[name] = id
    actions.append(commit([.record(record)]))
    enqueue(id)
    return (.started, actions + schedule())
  }

  mutating func pause(_ id: ID) -> [Action] {
    guard state.records[id]?.phase == .active else { return [] }
    return change(id) { $0.phase = .paused } + detach(id) + schedule()
  }

  mutating func resume(_ id: ID) -> [Action] {
    guard let record = state.records[id] else { return [] }
    switch record.phase {
    case .paused, .failed:
      var item = makeItem(record)
      item.activity = items[id]?.activity ?? .idle
      items[id] = item
      let actions = change(id) { $0.phase = .active }
      // A transfer that is still ending is started again after it has ended.
      if !transfers.contains(id) { enqueue(id) }
      return actions + schedule()
    case .active:
      guard items[id]?.activity == .waitingToRetry else { return [] }
      enqueue(id)
      return [.endWait(id)] + schedule()
    case .moving, .finished: return []
    }
  }

  /// Ends a download with an event. A download that has ended or is being moved into place is not affected.
  mutating func cancel(_ id: ID) -> [Action] {
    guard let record = state.records[id], record.phase == .active || record.phase == .paused else { return [] }
    return detach(id) + fail(record, .cancelled) + schedule()
  }

  mutating func forget(_ id: ID) -> [Action] {
    guard let record = state.records[id] else { return [] }
    var actions = detach(id)
    let events = state.events.values.filter { $0.download == id }.map { JournalEntry.acknowledged(event: $0.number) }
    actions.append(commit(events + [.removed(download: id)]))
    if case .finished = record.phase {} else { actions.append(.removePart(record.part)) }
    remove(record)
    return actions + [.forgotten(id, name: record.name)] + schedule()
  }

  /// Forgets a download that could not start because the journal could not be written.
  mutating func withdraw(_ id: ID) -> [Action] {
    transfers.remove(id)
    items[id]?.activity = .idle
    return forget(id)
  }

  mutating func setPriority(_ priority: RequestPriority, of id: ID) -> [Action] {
    guard let record = state.records[id], record.priority != priority else { return [] }
    let actions = change(id) { $0.priority = priority }
    if items[id]?.activity == .waiting { enqueue(id) }
    return actions
  }

  mutating func setLimit(_ limit: Int) -> [Action] {
    self.limit = max(1, limit)
    return schedule()
  }

  /// The next event that has not been delivered.
  mutating func takeEvent() -> EventRecord? {
    while let number = undelivered.popFirst() {
      if let event = state.events[number] { return event }
    }
    return nil
  }

  /// Makes an event available: a new one, or one that could not be delivered.
  mutating func offer(_ number: UInt64) {
    guard state.events[number] != nil else { return }
    undelivered.append(number)
  }

  mutating func acknowledge(_ number: UInt64) -> [Action] {
    guard let event = state.events[number] else { return [] }
    var entries = [JournalEntry.acknowledged(event: number)]
    if let record = state.records[event.download], record.isOver(by: event) {
      entries.append(.removed(download: record.id))
      remove(record)
    }
    return [commit(entries)]
  }
}

extension DownloadRecord {
  /// Whether the download is over once this event is acknowledged. The event can belong to an earlier failure.
  fileprivate func isOver(by event: EventRecord) -> Bool {
    switch phase {
    case .finished(let placement): placement.event == event.number
    case .failed(.cancelled): event.outcome == .failed(.cancelled)
    default: false
    }
  }
}
