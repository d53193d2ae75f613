extension DownloadStateMachine {
  /// Takes over what the journal does not contain from the state machine that was used before a suspension.
  ///
  /// - Parameter isSame: Whether both belong to the same journal, so that their numbers have the same meaning.
  mutating func adopt(_ old: DownloadStateMachine, isSame: Bool) {
    limit = old.limit
    guard isSame else { return }
    for (id, item) in old.items where items[id] != nil {
      items[id]?.retry = item.retry
      items[id]?.best = item.best
    }
    // Listeners still have the events that were delivered to them.
    var (waiting, rest) = (Set<UInt64>(), old.undelivered)
    while let number = rest.popFirst() { waiting.insert(number) }
    let delivered = Set(old.state.events.keys).subtracting(waiting)
    (undelivered, rest) = (FIFO(), undelivered)
    while let number = rest.popFirst() {
      if !delivered.contains(number) { undelivered.append(number) }
    }
  }
}
