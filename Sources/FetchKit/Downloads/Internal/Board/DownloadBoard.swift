/// All downloads of a session, and what is to be done next: a pure state machine.
///
/// Its methods change what is known and return actions, to be performed in their order: what goes into the journal comes
/// before what depends on it. Time, randomness, network and files are elsewhere.
struct DownloadBoard {
  typealias ID = UInt64

  enum Action: Equatable {
    /// Write the entries to the journal, as one.
    case append([JournalEntry])
    /// Begin to download.
    case begin(ID)
    /// Tell the transfer to end; ``ended(_:_:random:takeBudget:)`` follows.
    case stop(ID)
    /// Call ``waited(_:)`` after that time.
    case wait(ID, Duration)
    case endWait(ID)
    case removePart(UInt64)
    /// There is an event to hand out.
    case deliver(EventRecord)
    /// A download was forgotten, so that nobody will hear of its end.
    case forgotten(name: String)
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
    /// The file is in place.
    case finished(length: Int64)
    case stopped
    case failed(DownloadFailure, mayPass: Bool, retryAfter: Duration?)
  }

  enum Start: Equatable {
    case started
    case joined
    case continued
  }

  private struct Item {
    var activity = Activity.idle
    var turn = 0
    var retry: RetryState
    /// The most that was received since the retries were counted from none.
    var best: Int64
  }

  private(set) var state: JournalState
  private let opening: UInt64
  private let policy: RetryPolicy
  private var limit: Int
  private var items: [ID: Item] = [:]
  private var names: [String: ID] = [:]
  /// Transfers that have not ended yet, those of forgotten downloads included.
  private var transfers: Set<ID> = []
  private var undelivered: FIFO<UInt64> = FIFO()
  private var line: [RequestPriority: FIFO<(id: ID, turn: Int)>] = [:]
  private var turns = 0

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

  /// Takes up what an earlier program left.
  ///
  /// - Parameter moved: Downloads whose part had been moved into place when that program ended.
  mutating func open(moved: Set<ID>) -> [Action] {
    var actions: [Action] = []
    for record in records {
      switch record.phase {
      case .moving(_, let length) where moved.contains(record.id): actions += finish(record, length: length)
      case .moving:
        actions += change(record.id) { $0.phase = .active }
        enqueue(record.id)
      case .active: enqueue(record.id)
      case .paused, .finished, .failed: break
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
    return actions + [.forgotten(name: record.name)] + schedule()
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

  /// Puts back an event that could not be handed over.
  mutating func returnEvent(_ number: UInt64) {
    guard state.events[number] != nil else { return }
    undelivered.append(number)
  }

  mutating func acknowledge(_ number: UInt64) -> [Action] {
    guard let event = state.events[number] else { return [] }
    var entries = [JournalEntry.acknowledged(event: number)]
    if let record = state.records[event.download], record.isOver {
      entries.append(.removed(download: record.id))
      remove(record)
    }
    return [commit(entries)]
  }
}

extension DownloadBoard {
  /// So many bytes of the part are synced, which the server described so.
  mutating func received(
    _ bytes: Int64, of id: ID, part: UInt64, total: Int64?, validator: Validator?, suggestedFileName: String?
  ) -> [Action] {
    guard let record = state.records[id], record.part == part else { return [] }
    if var item = items[id], bytes > item.best {
      item.best = bytes
      item.retry = freshRetry
      items[id] = item
    }
    if record.total == total, record.validator == validator, record.suggestedFileName == suggestedFileName {
      return record.received == bytes ? [] : [commit([.received(download: id, part: part, bytes: bytes)])]
    }
    return change(id) { record in
      record.received = bytes
      record.total = total
      record.validator = validator
      record.suggestedFileName = suggestedFileName
    }
  }

  /// What was received is of no use; the number of the new part, nil if the download is not wanted any more.
  mutating func startOver(_ id: ID, part: UInt64) -> (UInt64?, [Action]) {
    guard let record = state.records[id], record.part == part else { return (nil, []) }
    guard record.received > 0 || record.validator != nil else { return (part, []) }
    let next = state.takeNumber()
    return (next, change(id) { $0.startOver(part: next) } + [.removePart(part)])
  }

  /// The complete part is about to be moved; false if the download is not wanted any more.
  mutating func willMove(_ id: ID, part: UInt64, inode: UInt64, length: Int64) -> (Bool, [Action]) {
    guard let record = state.records[id], record.part == part, record.phase == .active else { return (false, []) }
    let actions = change(id) { record in
      record.phase = .moving(inode: inode, length: length)
      (record.received, record.total) = (length, length)
    }
    return (true, actions)
  }

  /// A transfer has ended, for whatever reason.
  mutating func ended(_ id: ID, _ end: End, random: Double, takeBudget: () -> Bool) -> [Action] {
    transfers.remove(id)
    guard let record = state.records[id] else { return schedule() }
    items[id]?.activity = .idle
    switch (end, record.phase) {
    case (.finished(let length), .moving), (.finished(let length), .active):
      return finish(record, length: length) + schedule()
    case (.stopped, .active): enqueue(id)
    case (.failed(let failure, let mayPass, let retryAfter), .active),
      (.failed(let failure, let mayPass, let retryAfter), .moving):
      let next = items[id]?.retry.next(
        after: RetryState.Failure(mayPass: mayPass, nothingSent: false, retryAfter: retryAfter), random: random,
        remaining: nil, takeBudget: takeBudget)
      guard case .retry(let delay) = next else { return fail(record, failure) + schedule() }
      items[id]?.activity = .waitingToRetry
      return goBack(record, keepsPart: failure.keepsPart) + [.wait(id, delay)] + schedule()
    default: break
    }
    return schedule()
  }

  /// The wait before the next attempt is over.
  mutating func waited(_ id: ID) -> [Action] {
    guard items[id]?.activity == .waitingToRetry else { return [] }
    enqueue(id)
    return schedule()
  }
}

extension DownloadBoard {
  private var freshRetry: RetryState { RetryState(policy, isRepeatable: true, isReplayable: true) }

  private func makeItem(_ record: DownloadRecord) -> Item { Item(retry: freshRetry, best: record.received) }

  private mutating func enqueue(_ id: ID) {
    turns += 1
    items[id]?.activity = .waiting
    items[id]?.turn = turns
    guard let priority = state.records[id]?.priority else { return }
    line[priority, default: FIFO()].append((id, turns))
  }

  /// Takes a download from whatever it does.
  private mutating func leave(_ id: ID) -> [Action] {
    defer { if items[id]?.activity != .running { items[id]?.activity = .idle } }
    return switch items[id]?.activity {
    case .running: [.stop(id)]
    case .waitingToRetry: [.endWait(id)]
    default: []
    }
  }

  private mutating func schedule() -> [Action] {
    var actions: [Action] = []
    while transfers.count < limit, let next = nextInLine() {
      items[next]?.activity = .running
      transfers.insert(next)
      actions.append(.begin(next))
    }
    return actions
  }

  private mutating func nextInLine() -> ID? {
    for priority in RequestPriority.allCases.reversed() {
      while let (id, turn) = line[priority]?.popFirst() {
        // Those that left the line, or took another place in it, are passed over.
        if items[id]?.activity == .waiting, items[id]?.turn == turn { return id }
      }
    }
    return nil
  }

  private mutating func goBack(_ record: DownloadRecord, keepsPart: Bool) -> [Action] {
    guard record.phase != .active || !keepsPart else { return [] }
    let next = state.takeNumber()
    let actions = change(record.id) { record in
      record.phase = .active
      if !keepsPart { record.startOver(part: next) }
    }
    return actions + (keepsPart ? [] : [.removePart(record.part)])
  }

  private mutating func finish(_ record: DownloadRecord, length: Int64) -> [Action] {
    var record = record
    record.phase = .finished(length: length)
    record.received = length
    record.total = length
    let outcome = EventRecord.Outcome.finished(
      path: record.destination, length: length, suggestedFileName: record.suggestedFileName)
    return end(record, outcome)
  }

  private mutating func fail(_ record: DownloadRecord, _ failure: DownloadFailure) -> [Action] {
    var record = state.records[record.id] ?? record
    record.phase = .failed(failure)
    let lost = record.part
    if !failure.keepsPart { record.startOver(part: state.takeNumber()) }
    return end(record, .failed(failure)) + (failure.keepsPart ? [] : [.removePart(lost)])
  }

  private mutating func end(_ record: DownloadRecord, _ outcome: EventRecord.Outcome) -> [Action] {
    let event = EventRecord(
      number: state.takeNumber(), opening: opening, download: record.id, name: record.name, outcome: outcome)
    undelivered.append(event.number)
    return [commit([.record(record), .event(event)]), .deliver(event)]
  }

  private mutating func change(_ id: ID, _ body: (inout DownloadRecord) -> Void) -> [Action] {
    guard var record = state.records[id] else { return [] }
    body(&record)
    return [commit([.record(record)])]
  }

  private mutating func commit(_ entries: [JournalEntry]) -> Action {
    for entry in entries { state.apply(entry) }
    return .append(entries)
  }

  private mutating func remove(_ record: DownloadRecord) {
    if names[record.name] == record.id { names[record.name] = nil }
    items[record.id] = nil
  }
}

extension DownloadRecord {
  /// Whether nothing is left to do for it once its event has been acknowledged.
  fileprivate var isOver: Bool {
    switch phase {
    case .finished, .failed(.cancelled): true
    default: false
    }
  }
}
