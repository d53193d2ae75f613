/// All downloads of a session, and what is to be done next: a pure state machine.
///
/// Its methods change what is known and return actions, to be performed in their order: what goes into the journal
/// comes before what depends on it. Time, randomness, network and files are elsewhere.
struct DownloadBoard {
  typealias ID = UInt64

  enum Action: Equatable {
    /// Write the entries to the journal, as one.
    case append([JournalEntry])
    /// Write them together with the next ones: until then the journal says the same in other words.
    case note([JournalEntry])
    /// Begin to download.
    case begin(ID)
    /// Tell the transfer to end; ``ended(_:_:random:takeBudget:)`` follows.
    case stop(ID)
    /// Call ``waited(_:)`` after that time.
    case wait(ID, Duration)
    case endWait(ID)
    case removePart(UInt64)
    /// There is an event to hand out, by ``offer(_:)``.
    case deliver(EventRecord)
    /// A download was forgotten, so that nobody will hear of its end.
    case forgotten(ID, name: String)
  }

  /// What a transfer is doing apart from what the journal says of it.
  enum Activity: Equatable {
    case idle
    case waiting
    case running
    case waitingToRetry
  }

  /// How a transfer ended.
  enum End: Equatable {
    /// The file is in place, as announced by ``willMove(_:part:inode:length:checksum:suggestedFileName:)``.
    case finished
    case stopped
    case failed(DownloadFailure, mayPass: Bool, retryAfter: Duration?)
  }

  enum Start: Equatable {
    case started
    case joined
    case continued
  }

  struct Item {
    var activity = Activity.idle
    var turn = 0
    var retry: RetryState
    /// The most that was received since the retries were counted from none.
    var best: Int64
  }

  var state: JournalState
  let opening: UInt64
  let policy: RetryPolicy
  var limit: Int
  var items: [ID: Item] = [:]
  var names: [String: ID] = [:]
  /// Transfers that have not ended yet, those of forgotten downloads included.
  var transfers: Set<ID> = []
  var undelivered: FIFO<UInt64> = FIFO()
  var line: [RequestPriority: FIFO<(id: ID, turn: Int)>] = [:]
  var turns = 0

  /// - Parameter opening: A number that no other opening of the journal has had.
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

  /// Whether nothing is under way and everything that ended has been acknowledged.
  var isIdle: Bool {
    transfers.isEmpty && state.events.isEmpty && items.values.allSatisfy { $0.activity == .idle }
  }

  var records: [DownloadRecord] { state.records.values.sorted { $0.id < $1.id } }

  func record(named name: String) -> DownloadRecord? { names[name].flatMap { state.records[$0] } }

  func activity(of id: ID) -> Activity { items[id]?.activity ?? .idle }

  func isCurrent(_ id: ID, part: UInt64) -> Bool { state.records[id]?.part == part }

  /// The machine has been started since the journal was written.
  mutating func begin(boot: String) -> [Action] {
    [commit([.boot(boot)])]
  }

  /// Takes up what an earlier program left.
  ///
  /// - Parameters:
  ///   - moved: Downloads whose part had been moved into place when that program ended.
  ///   - lost: Downloads whose complete file did not outlive the machine.
  mutating func open(moved: Set<ID>, lost: Set<ID> = []) -> [Action] {
    var actions: [Action] = []
    for record in records {
      switch record.phase {
      case .moving where moved.contains(record.id):
        // Of a file that was copied to another volume the part is still there.
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

  /// Begins a download, or joins the one that has its name.
  mutating func start(
    _ request: StoredRequest, named name: String, priority: RequestPriority, destination: String,
    digest: DownloadDigest?
  ) -> (Start, [Action]) {
    var actions: [Action] = []
    if var record = record(named: name) {
      switch record.phase {
      case .active, .moving, .paused: return (.joined, resume(record.id))
      case .failed(let failure) where failure.keepsPart && record.request == request && record.digest == digest:
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
    return change(id) { $0.phase = .paused } + leave(id) + schedule()
  }

  mutating func resume(_ id: ID) -> [Action] {
    guard let record = state.records[id] else { return [] }
    switch record.phase {
    case .paused, .failed:
      var item = makeItem(record)
      item.activity = items[id]?.activity ?? .idle
      items[id] = item
      let actions = change(id) { $0.phase = .active }
      // A transfer that is still ending goes on when it has ended.
      if !transfers.contains(id) { enqueue(id) }
      return actions + schedule()
    case .active:
      guard items[id]?.activity == .waitingToRetry else { return [] }
      enqueue(id)
      return [.endWait(id)] + schedule()
    case .moving, .finished: return []
    }
  }

  /// Ends a download with an event; one that is being moved into place, or has ended, is left alone.
  mutating func cancel(_ id: ID) -> [Action] {
    guard let record = state.records[id], record.phase == .active || record.phase == .paused else { return [] }
    return leave(id) + fail(record, .cancelled) + schedule()
  }

  mutating func forget(_ id: ID) -> [Action] {
    guard let record = state.records[id] else { return [] }
    var actions = leave(id)
    let events = state.events.values.filter { $0.download == id }.map { JournalEntry.acknowledged(event: $0.number) }
    actions.append(commit(events + [.removed(download: id)]))
    if case .finished = record.phase {} else { actions.append(.removePart(record.part)) }
    remove(record)
    return actions + [.forgotten(id, name: record.name)] + schedule()
  }

  /// Forgets a download that was to begin and did not, since the journal could not be told of it.
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

  /// The next event that nobody has been given.
  mutating func takeEvent() -> EventRecord? {
    while let number = undelivered.popFirst() {
      if let event = state.events[number] { return event }
    }
    return nil
  }

  /// Lets an event be handed out: a new one, or one that could not be handed over.
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
  /// Whether nothing is left to do for it once that event has been acknowledged, which may be of an earlier failure.
  fileprivate func isOver(by event: EventRecord) -> Bool {
    switch phase {
    case .finished(let placement): placement.event == event.number
    case .failed(.cancelled): event.outcome == .failed(.cancelled)
    default: false
    }
  }
}
