extension ObjectSpace {
  /// A point in the pending changes to which a failed closure returns.
  struct Mark {
    var registries: ContiguousArray<PendingChanges.Mark> = []
    var links = 0
    var denials = 0
    var refusedEdits: ContiguousArray<RefusedEdit> = []
  }

  /// The mark of a space without pending changes.
  var noChanges: Mark { Mark(registries: ContiguousArray(repeating: PendingChanges.Mark(), count: registries.count)) }

  func takeMark() -> Mark {
    guard hasChanges else { return noChanges }
    for registry in registries {
      registry.freezeChanges()
      registry.changes.markedIncrements = registry.changes.increments.count
    }
    takeOrders()
    return Mark(
      registries: ContiguousArray(registries.map(\.changes.mark)), links: links.mark, denials: denials.count,
      refusedEdits: refusedEdits)
  }

  /// Undoes all changes after the mark. Also discards what was read in the transaction, because it may contain undone
  /// changes. Relationships come first, while all owners can still be found. At the end, objects of classes with bulk
  /// changes are read again, and those that others have changed since.
  func rollBack(to mark: Mark) {
    if hasChanges {
      // Which owners' members change back is not known.
      noteAllMembers()
      unloadAllRelationships()
    }
    answers.removeAll()
    let rewritten = registries.filter { $0.bulk != nil }
    connection.rollback()
    if unit.transaction == .writing { reportRollback() }
    pendingRows.isStale = true
    unit.transaction = .none
    raiseProvisionalIDs()
    for (registry, mark) in zip(registries, mark.registries).reversed() { registry.rollBack(to: mark) }
    links.rollBack(to: mark.links)
    denials.removeSubrange(min(mark.denials, denials.count)...)
    refusedEdits = mark.refusedEdits
    if !rewritten.isEmpty {
      read { () throws(PersistenceError) in for registry in rewritten { try registry.reload() } }
    }
    for registry in registries where !registry.changes.missed.isEmpty {
      read { () throws(PersistenceError) in try registry.refreshMissed() }
    }
  }

  /// Makes changes pending again whose transaction was rolled back.
  func markUnwritten() {
    raiseProvisionalIDs()
    for registry in registries { registry.markUnwritten() }
    links.markUnwritten()
  }

  /// Discards all changes and makes every object read its row again, because the contents of the store are unknown. If
  /// that fails too, the objects keep their state from before the changes.
  func reloadAll() {
    rollBack(to: noChanges)
    read { () throws(PersistenceError) in for registry in registries { try registry.reload() } }
  }

  private func read(_ body: () throws(PersistenceError) -> Void) {
    let outer = unit.phase
    unit.phase = .performing
    defer { unit.phase = outer }
    do {
      try body()
    } catch {
      // The store is not readable. The next fetch reads these objects again and throws the reason.
      connection.rollback()
    }
    endTransaction()
  }
}
