extension ObjectSpace {
  /// A point in the pending changes to which a failed closure returns.
  struct Mark {
    var tables: ContiguousArray<PendingChanges.Mark> = []
    var links = 0
    var denials = 0
    var refusedEdits: ContiguousArray<RefusedEdit> = []
  }

  /// The mark of a space without pending changes.
  var noChanges: Mark { Mark(tables: ContiguousArray(repeating: PendingChanges.Mark(), count: tables.count)) }

  func takeMark() -> Mark {
    guard hasChanges else { return noChanges }
    for table in tables {
      table.freezeChanges()
      table.changes.markedIncrements = table.changes.increments.count
    }
    takeOrders()
    return Mark(
      tables: ContiguousArray(tables.map(\.changes.mark)), links: links.mark, denials: denials.count,
      refusedEdits: refusedEdits)
  }

  /// Undoes all changes after the mark. Also discards what was read in the transaction, because it may contain undone
  /// changes. Relationships come first, while all owners can still be found. At the end, objects of classes with bulk
  /// changes are read again.
  func rollBack(to mark: Mark) {
    if hasChanges { unloadAllRelationships() }
    answers.removeAll()
    let rewritten = Set(unit.bulk.map(\.entity.index))
    connection.rollback()
    pendingRows.isStale = true
    unit.transaction = .none
    unit.bulk.removeAll()
    raiseProvisionalIDs()
    for (table, mark) in zip(tables, mark.tables).reversed() { table.rollBack(to: mark) }
    links.rollBack(to: mark.links)
    denials.removeSubrange(min(mark.denials, denials.count)...)
    refusedEdits = mark.refusedEdits
    if !rewritten.isEmpty { reload(rewritten.sorted().map { tables[$0] }) }
  }

  /// Makes changes pending again whose transaction was rolled back.
  func markUnwritten() {
    unit.bulk.removeAll()
    raiseProvisionalIDs()
    for table in tables { table.markUnwritten() }
    links.markUnwritten()
  }

  /// Discards all changes and makes every object read its row again, because the contents of the store are unknown. If
  /// that fails too, the objects keep their state from before the changes.
  func reloadAll() {
    rollBack(to: noChanges)
    reload(tables)
  }

  private func reload(_ tables: some Sequence<EntityRegistry>) {
    let outer = unit.phase
    unit.phase = .performing
    defer { unit.phase = outer }
    do {
      for table in tables { try table.reload() }
    } catch {
      // The store is not readable. The next fetch reads these objects again and throws the reason.
      connection.rollback()
    }
    endTransaction()
  }
}
