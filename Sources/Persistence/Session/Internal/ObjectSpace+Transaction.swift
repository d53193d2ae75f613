extension ObjectSpace {
  /// Begins a transaction before anything is read. Within `persist` it is a write transaction from the start: no lock
  /// has to be upgraded, and nothing that was read can be stale when it is written.
  func beginReading() throws(PersistenceError) {
    unit.queries &+= 1
    if unit.phase == .persisting { return try beginWriting() }
    try checkTransaction()
    guard unit.transaction == .none else { return }
    try reconnect()
    if !views.isEmpty { try dropUnusedViews() }
    try connection.beginReading()
    unit.transaction = .reading
    if isolation.pointee.isMain || store.isPolling { try checkForExternalCommits() }
  }

  /// Discards the main actor's cached relationships once others have committed. They stay in memory between closures,
  /// and are then read again.
  private func checkForExternalCommits() throws(PersistenceError) {
    let version = try connection.foreignDataVersion()
    if version == unit.dataVersion { return }
    unit.dataVersion = version
    if isolation.pointee.isMain { unloadAllRelationships() }
    store.whenOthersCommit.withLock { $0 }()
  }

  func beginWriting() throws(PersistenceError) {
    try checkTransaction()
    guard unit.transaction != .writing else { return }
    try reconnect()
    endTransaction()
    if !views.isEmpty { try dropUnusedViews() }
    try reserveIDsBeforeWriting()
    try connection.beginWriting()
    unit.transaction = .writing
    unit.writeTransactions &+= 1
    unit.isCurrent = false
    do throws(PersistenceError) {
      try store.checkSchema(on: connection)
      unit.watched = try slotsToRecord()
    } catch {
      endTransaction()
      throw error
    }
  }

  /// The slots to include with every changed row, by class. Nil if no one wants to know which rows change.
  private func slotsToRecord() throws(PersistenceError) -> [SlotSet]? {
    // All are asked, because they remember the answer for the commit.
    for observer in saveObservers { unit.interest.formUnion(try observer.interest(in: connection)) }
    if let slots = store.commits.interest(besides: listener) { return slots }
    return unit.interest.isEmpty ? nil : Array(repeating: SlotSet(), count: registries.count)
  }

  /// Some errors make SQLite roll back on its own. After that, no statement may write, because it would commit
  /// separately.
  func checkTransaction() throws(PersistenceError) {
    try PersistenceError.checkWithinLimit(store.suspension)
    guard unit.transaction != .none, !connection.isInTransaction else { return }
    pendingRows.isStale = true
    throw unit.failure ?? .database(DatabaseError(code: 0, message: "the database has rolled back the transaction"))
  }

  /// Ends a transaction without storing its changes, if it has any. They stay pending.
  func endTransaction() {
    switch unit.transaction {
    case .none: return
    case .reading:
      if connection.commitForError() != nil { connection.rollback() }
    case .writing:
      connection.rollback()
      reportRollback()
      markUnwritten()
    }
    unit.transaction = .none
  }

  /// Reports that the transaction was rolled back, or that it is unknown whether it was committed.
  func reportRollback() {
    unit.watched = nil
    forgetWrittenRows()
    for observer in saveObservers { observer.rolledBack() }
  }

  /// Called at the end of a write transaction.
  func forgetWrittenRows() {
    unit.hasWrittenRows = false
    unit.whenCommitted = []
    unit.validated = nil
  }
}
