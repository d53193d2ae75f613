internal import Foundation

extension ObjectSpace {
  struct Mark {
    var tables: ContiguousArray<PendingChanges.Mark> = []
    var links = 0
    var denials = 0
    var refusedEdits = 0
  }

  /// Runs the closure, then saves the changes. If either throws, restores the objects to their previous state.
  func persist<Result>(_ body: (ObjectSpace) throws -> Result) throws(PersistenceError) -> Result {
    guard unit.phase == .idle else { throw .nested }
    try admit()
    enter(.persisting)
    defer { leave() }
    let mark = takeMark()
    do {
      let result = try body(self)
      try throwFailure()
      try save()
      return result
    } catch {
      let cause = error as? PersistenceError ?? .body(error)
      if case .indeterminate = cause { reloadAll() } else { rollBack(to: unit.hasGivenUp ? noChanges : mark) }
      throw cause
    }
  }

  /// Runs the closure, returns what saving would commit, and restores the objects to their previous state.
  func discarding(_ body: (ObjectSpace) throws -> Void) throws(PersistenceError) -> ChangeSet {
    guard unit.phase == .idle else { throw .nested }
    try admit()
    enter(.persisting)
    defer { leave() }
    let mark = takeMark()
    defer { rollBack(to: unit.hasGivenUp ? noChanges : mark) }
    do {
      try body(self)
      try throwFailure()
      try throwRefusedEdits()
      try validate()
      try writePending(isLast: true)
      try checkDeleteRules()
      return changeSet() ?? ChangeSet(schema)
    } catch {
      throw error as? PersistenceError ?? .body(error)
    }
  }

  /// Runs the closure in a single read transaction. Its changes stay pending.
  func perform<Result>(_ body: (ObjectSpace) throws -> Result) throws(PersistenceError) -> Result {
    guard unit.phase == .idle else {
      // Inside another closure of the context, use that closure's transaction.
      do { return try body(self) } catch { throw error as? PersistenceError ?? .body(error) }
    }
    try admit()
    enter(.performing)
    defer { leave() }
    do {
      let result = try body(self)
      endTransaction()
      try throwFailure()
      return result
    } catch {
      endTransaction()
      throw error as? PersistenceError ?? .body(error)
    }
  }

  /// Runs an operation that may be called outside any closure, such as the calls of a main-actor context.
  func reading<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
    guard isIsolated else { throw .wrongContext }
    guard unit.phase == .idle else { return try body() }
    if let failure = unit.readFailure {
      unit.readFailure = nil
      throw failure
    }
    try admit()
    unit.phase = .performing
    defer {
      endTransaction()
      unit.phase = .idle
    }
    return try body()
  }

  /// Called before a closure or a read begins. Those that have begun may finish when the store is suspended.
  private func admit() throws(PersistenceError) {
    try PersistenceError.checkRunning(store.suspension)
    try reconnect()
  }

  private func enter(_ phase: Unit.Phase) {
    unit.phase = phase
    unit.hasGivenUp = false
    unit.outer = becomeRunning()
    isolation.pointee.thread = pthread_self()
    if !isolation.pointee.isMain { unit.failure = nil }
  }

  private func leave() {
    unit.phase = .idle
    unit.failure = nil
    unit.readFailure = nil
    faults.removeAll()
    isolation.pointee.thread = nil
    stopRunning(unit.outer)
    if !isolation.pointee.isMain {
      unloadAllRelationships()
      together.removeAll()
    }
  }

  // Transactions

  /// Begins a transaction before anything is read. Within `persist` it is a write transaction from the start: no lock
  /// has to be upgraded, and nothing that was read can be stale when it is written.
  func beginReading() throws(PersistenceError) {
    unit.queries &+= 1
    if unit.phase == .persisting { return try beginWriting() }
    try checkTransaction()
    guard unit.transaction == .none else { return }
    try reconnect()
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
    if store.isPolling { store.poll() }
  }

  func beginWriting() throws(PersistenceError) {
    try checkTransaction()
    guard unit.transaction != .writing else { return }
    try reconnect()
    endTransaction()
    try reserveIDsBeforeWriting()
    try connection.beginWriting()
    unit.transaction = .writing
    unit.watched = store.commits.interest(besides: feed)
    let isKept = try history.isKept()
    if unit.watched == nil, isKept || unit.isPreviewing || undoHistory.limit > 0 {
      unit.watched = Array(repeating: SlotSet(), count: tables.count)
    }
  }

  /// Some errors make SQLite roll back on its own. After that, no statement may write, because it would commit
  /// separately.
  private func checkTransaction() throws(PersistenceError) {
    try PersistenceError.checkWithinLimit(store.suspension)
    guard unit.transaction != .none, !connection.isInTransaction else { return }
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
      unwrite()
    }
    unit.transaction = .none
  }

  // Saving

  /// Whether there are changes that have not been saved.
  public var hasChanges: Bool {
    !links.isEmpty || !unit.bulk.isEmpty || !refusedEdits.isEmpty || tables.contains { !$0.changes.isEmpty }
  }

  /// Writes pending changes to the open transaction, so that queries see them.
  ///
  /// - Parameter isLast: Whether unique values must be unique now. Before the commit, two objects may temporarily have
  ///   the same value. The second one is then written with a placeholder, and queries do not find it by that value
  ///   until the next call.
  func writePending(isLast: Bool = false) throws(PersistenceError) {
    guard links.hasUnwritten || tables.contains(where: { !$0.changes.isWritten || !$0.changes.unsettled.isEmpty })
    else { return }
    try beginWriting()
    do {
      for table in tables { table.seal() }
      for table in tables where !table.changes.unsettled.isEmpty { table.writeUnsettledAgain(isLast: isLast) }
      // Foreign keys are checked at the end, so the order in which objects refer to each other does not matter. A
      // unique value is released before another object takes it.
      for table in tablesWithDeletions() { try table.writeDeletes() }
      for table in tables { try table.writeUpdates(isLast: isLast) }
      for table in tables { try table.writeInserts(isLast: isLast) }
      try writeLinks()
    } catch {
      // Part of it is written: the unit cannot be saved, even if the caller of a fetch continues.
      fail(error)
      throw error
    }
  }

  private func save() throws(PersistenceError) {
    guard hasChanges else { return endTransaction() }
    try PersistenceError.checkWithinLimit(store.suspension)
    try throwRefusedEdits()
    try validate()
    try writePending(isLast: true)
    try checkDeleteRules()
    try PersistenceError.checkWithinLimit(store.suspension)
    let changes = changeSet()
    let number = try recordHistory(changes)
    let failure = store.commits.commit(
      changes, from: feed, as: number, after: { history.foreign(after: $0, to: number) }
    ) {
      connection.commitForError()
    }
    guard let failure else {
      unit.transaction = .none
      history.committed()
      if let changes, !unit.isUndoing { undoHistory.add(changes) }
      committed()
      store.checkpointer?.catchUp(by: connection)
      return
    }
    if failure.error.isForeignKey {
      let changed = tables.filter { !$0.changes.isEmpty }.map(\.entity.name)
      throw .conflict(MergeConflict(kind: .dangling, type: changed.joined(separator: ", "), id: nil))
    }
    connection.rollback()
    throw failure.cause
  }

  /// Records the commit in the store's history. Returns its number, or nil if no history is kept.
  private func recordHistory(_ changes: ChangeSet?) throws(PersistenceError) -> Int64? {
    guard try history.isKept() else { return nil }
    return try history.append(changes ?? ChangeSet(everythingOf: schema))
  }

  /// Validates until every change is validated, because validation may change objects.
  private func validate() throws(PersistenceError) {
    var marks = ContiguousArray(repeating: PendingChanges.Mark(), count: tables.count)
    unit.validationsLeft = tables.reduce(1_000_000) { $0 + 1_000 * $1.changes.count }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for table in tables {
        if try table.sealAndValidate(from: &marks[table.entity.index]) { isSettled = false }
      }
    }
    try throwFailure()
  }

  private func committed() {
    for table in tables where !table.changes.isEmpty { table.committed() }
    for table in tables { table.ids.isProvisional = false }
    links.removeAll()
    denials.removeAll()
    guard !unit.bulk.isEmpty else { return }
    // Objects in memory do not yet have the values that were written without objects.
    var bulk = ChangeSet(schema)
    bulk.entities = unit.bulk
    unit.bulk = []
    follow(bulk)
  }

  // Undoing

  /// The mark of a space without pending changes.
  var noChanges: Mark { Mark(tables: ContiguousArray(repeating: PendingChanges.Mark(), count: tables.count)) }

  func takeMark() -> Mark {
    guard hasChanges else { return noChanges }
    for table in tables {
      table.seal()
      table.changes.markedIncrements = table.changes.increments.count
    }
    takeOrders()
    return Mark(
      tables: ContiguousArray(tables.map(\.changes.mark)), links: links.mark, denials: denials.count,
      refusedEdits: refusedEdits.count)
  }

  /// Undoes all changes after the mark. Also discards what was read in the transaction, because it may contain undone
  /// changes. Relationships come first, while all owners can still be found. At the end, objects of classes with bulk
  /// changes are read again.
  func rollBack(to mark: Mark) {
    if hasChanges { unloadAllRelationships() }
    let rewritten = Set(unit.bulk.map(\.entity.index))
    connection.rollback()
    unit.transaction = .none
    unit.bulk.removeAll()
    raiseProvisionalIDs()
    for (table, mark) in zip(tables, mark.tables).reversed() { table.rollBack(to: mark) }
    links.rollBack(to: mark.links)
    denials.removeSubrange(min(mark.denials, denials.count)...)
    refusedEdits.removeSubrange(min(mark.refusedEdits, refusedEdits.count)...)
    if !rewritten.isEmpty { reload(rewritten.sorted().map { tables[$0] }) }
  }

  private func unwrite() {
    unit.bulk.removeAll()
    raiseProvisionalIDs()
    for table in tables { table.unwrite() }
    links.unwrite()
  }

  /// Discards all changes and makes every object read its row again, because the contents of the store are unknown. If
  /// that fails too, the objects keep their state from before the changes.
  private func reloadAll() {
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
