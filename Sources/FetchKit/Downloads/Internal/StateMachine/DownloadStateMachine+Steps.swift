/// The building blocks of the state machine's decisions.
extension DownloadStateMachine {
  var freshRetry: RetryState { RetryState(policy, isRepeatable: true, isReplayable: true) }

  func makeItem(_ record: DownloadRecord) -> Item { Item(retry: freshRetry, best: record.received) }

  mutating func enqueue(_ id: ID) {
    turns += 1
    items[id]?.activity = .waiting
    items[id]?.turn = turns
    guard let priority = state.records[id]?.priority else { return }
    pending[priority, default: FIFO()].append((id, turns))
  }

  /// Detaches a download from its current activity.
  mutating func detach(_ id: ID) -> [Action] {
    defer { if items[id]?.activity != .running { items[id]?.activity = .idle } }
    return switch items[id]?.activity {
    case .running: [.stop(id)]
    case .waitingToRetry: [.endWait(id)]
    default: []
    }
  }

  mutating func schedule() -> [Action] {
    var actions: [Action] = []
    while transfers.count < limit, let next = takePending() {
      items[next]?.activity = .running
      transfers.insert(next)
      actions.append(.begin(next))
    }
    return actions
  }

  mutating func takePending() -> ID? {
    for priority in RequestPriority.allCases.reversed() {
      while let (id, turn) = pending[priority]?.popFirst() {
        // Skip entries that are no longer waiting or have moved to another position.
        if items[id]?.activity == .waiting, items[id]?.turn == turn { return id }
      }
    }
    return nil
  }

  mutating func reactivate(_ record: DownloadRecord, keepsPartialFile: Bool) -> [Action] {
    guard record.phase != .active || !keepsPartialFile else { return [] }
    let next = state.takeNumber()
    let actions = change(record.id) { record in
      record.phase = .active
      if !keepsPartialFile { record.startOver(part: next) }
    }
    return actions + (keepsPartialFile ? [] : [.removePart(record.part)])
  }

  /// Commits the end before it is delivered: after delivery the file belongs to the caller.
  mutating func finish(_ record: DownloadRecord) -> [Action] {
    let action = commit([.moved(download: record.id)])
    guard case .finished(let placement)? = state.records[record.id]?.phase else { return [] }
    return [action, .deliver(EventRecord(record, placement))]
  }

  /// The complete file is gone, so its event is withdrawn and the download starts over.
  mutating func fetchAgain(_ record: DownloadRecord) -> [Action] {
    var changed = record
    changed.phase = .active
    changed.startOver(part: state.takeNumber())
    var entries = [JournalEntry.record(changed)]
    if case .finished(let placement) = record.phase { entries.append(.acknowledged(event: placement.event)) }
    items[record.id] = makeItem(changed)
    return [commit(entries), .removePart(record.part)]
  }

  mutating func fail(_ record: DownloadRecord, _ failure: DownloadError) -> [Action] {
    var record = state.records[record.id] ?? record
    record.phase = .failed(failure)
    let lost = record.part
    if !failure.keepsPartialFile { record.startOver(part: state.takeNumber()) }
    let event = EventRecord(
      number: state.takeNumber(), opening: opening, download: record.id, name: record.name, outcome: .failed(failure))
    return [commit([.record(record), .event(event)]), .deliver(event)]
      + (failure.keepsPartialFile ? [] : [.removePart(lost)])
  }

  mutating func change(_ id: ID, _ body: (inout DownloadRecord) -> Void) -> [Action] {
    guard var record = state.records[id] else { return [] }
    body(&record)
    return [commit([.record(record)])]
  }

  mutating func commit(_ entries: [JournalEntry]) -> Action {
    for entry in entries { state.apply(entry) }
    return .append(entries)
  }

  mutating func remove(_ record: DownloadRecord) {
    if names[record.name] == record.id { names[record.name] = nil }
    items[record.id] = nil
  }
}
