/// Handles the reports of transfers.
extension DownloadStateMachine {
  /// Records that this many bytes of the part are synced, with the server's description of the file.
  mutating func received(
    _ bytes: Int64, of id: ID, part: UInt64, total: Int64?, validator: Validator?, metadata: FileMetadata
  ) -> [Action] {
    guard let record = state.records[id], record.part == part else { return [] }
    if var item = items[id], bytes > item.best {
      item.best = bytes
      item.retry = freshRetry
      items[id] = item
    }
    if record.total == total, record.validator == validator, record.metadata == metadata {
      return record.received == bytes ? [] : [commit([.received(download: id, part: part, bytes: bytes)])]
    }
    return change(id) { record in
      record.received = bytes
      record.total = total
      record.validator = validator
      record.metadata = metadata
    }
  }

  /// Discards the bytes received so far. Returns the number of the new part, or nil if the download is no longer
  /// wanted.
  mutating func startOver(_ id: ID, part: UInt64) -> (UInt64?, [Action]) {
    guard let record = state.records[id], record.part == part else { return (nil, []) }
    guard record.received > 0 || record.validator != nil else { return (part, []) }
    let next = state.takeNumber()
    return (next, change(id) { $0.startOver(part: next) } + [.removePart(part)])
  }

  /// Announces that the complete part is about to be moved. Returns false if the download is no longer wanted.
  mutating func willMove(
    _ id: ID, part: UInt64, inode: UInt64, length: Int64, checksum: UInt32?, metadata: FileMetadata
  ) -> (Bool, [Action]) {
    guard let record = state.records[id], record.part == part, record.phase == .active else { return (false, []) }
    let placement = Placement(
      inode: inode, length: length, checksum: checksum, event: state.takeNumber(), opening: opening,
      metadata: metadata)
    return (true, [commit([.moving(download: id, part: part, placement)])])
  }

  /// Undoes the announcement of a move that could not be made: the part is still in its old location.
  mutating func didNotMove(_ id: ID, part: UInt64) -> [Action] {
    guard let record = state.records[id], record.part == part, case .moving = record.phase else { return [] }
    return change(id) { $0.phase = .active }
  }

  /// Records that the files of these downloads are on disk.
  mutating func synced(_ ids: [ID]) -> [Action] {
    let entries = ids.compactMap { id -> JournalEntry? in
      guard case .finished(let placement)? = state.records[id]?.phase, placement.checksum != nil else { return nil }
      return .synced(download: id)
    }
    for entry in entries { state.apply(entry) }
    return entries.isEmpty ? [] : [.note(entries)]
  }

  /// Handles the end of a transfer, for any reason.
  mutating func ended(_ id: ID, _ end: TransferEnd, random: Double, takeBudget: () -> Bool) -> [Action] {
    transfers.remove(id)
    guard let record = state.records[id] else { return schedule() }
    items[id]?.activity = .idle
    switch (end, record.phase) {
    case (.finished, .moving): return finish(record) + schedule()
    case (.stopped, .active): enqueue(id)
    case (.failed(let failure, let isTransient, let retryAfter), .active),
      (.failed(let failure, let isTransient, let retryAfter), .moving):
      let next = items[id]?.retry.next(
        after: RetryState.Failure(isTransient: isTransient, nothingSent: false, retryAfter: retryAfter), random: random,
        remaining: nil, takeBudget: takeBudget)
      guard let delay = next else { return fail(record, failure) + schedule() }
      items[id]?.activity = .waitingToRetry
      return reactivate(record, keepsPartialFile: failure.keepsPartialFile) + [.wait(id, delay)] + schedule()
    default: break
    }
    return schedule()
  }

  /// Ends the wait before the next attempt.
  mutating func waited(_ id: ID) -> [Action] {
    guard items[id]?.activity == .waitingToRetry else { return [] }
    enqueue(id)
    return schedule()
  }
}
