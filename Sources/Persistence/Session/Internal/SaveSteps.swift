/// A save, as the steps that it takes.
///
/// A step completes or throws. After an error the closure that saves restores the objects, so no step undoes another
/// one.
struct SaveSteps {
  private let space: ObjectSpace

  init(of space: ObjectSpace) { self.space = space }

  func run() throws(PersistenceError) {
    guard space.hasChanges || space.unit.hasWrittenRows else { return space.endTransaction() }
    let changes = try prepare()
    let number = try record(changes)
    try commit(changes, as: number)
    finish(changes)
  }

  /// Everything before the commit. Returns what would be committed, or nil if no one wants to know.
  func prepare() throws(PersistenceError) -> ChangeSet? {
    try PersistenceError.checkWithinLimit(space.store.suspension)
    try space.throwRefusedEdits()
    try validate()
    try space.writePending(isLast: true)
    try space.checkDeleteRules()
    try PersistenceError.checkWithinLimit(space.store.suspension)
    return try space.changeSet()
  }

  /// Validates until every change is validated, because validation may change objects.
  private func validate() throws(PersistenceError) {
    var marks = space.unit.validated ?? space.noChanges.registries
    var budget = space.registries.reduce(1_000_000) { $0 + 1_000 * $1.changes.count }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for registry in space.registries {
        if try registry.freezeAndValidate(from: &marks[registry.entity.index], within: &budget) { isSettled = false }
      }
    }
    try space.throwFailure()
  }

  /// Lets observers write what belongs to the commit. Returns its number in the store's history, if it has one.
  private func record(_ changes: ChangeSet?) throws(PersistenceError) -> Int64? {
    var number: Int64?
    for observer in space.saveObservers { number = try observer.willCommit(changes) ?? number }
    return number
  }

  /// Commits, and publishes the changes to the other contexts in commit order.
  private func commit(_ changes: ChangeSet?, as number: Int64?) throws(PersistenceError) {
    let failure = space.store.commits.commit(
      changes, from: space.listener, as: number,
      after: { HistoryLog(space.connection, space.schema).foreign(after: $0, to: number) }
    ) {
      space.connection.commitForError()
    }
    guard let failure else { return }
    if failure.error.isForeignKey {
      let changed = space.registries.filter { !$0.changes.isEmpty }.map(\.entity.name)
      throw .conflict(MergeConflict(kind: .dangling, type: changed.joined(separator: ", "), id: nil))
    }
    space.connection.rollback()
    throw failure.cause
  }

  /// Nothing is pending any more. The steps that follow a commit cannot fail.
  private func finish(_ changes: ChangeSet?) {
    space.unit.transaction = .none
    let actions = space.unit.whenCommitted
    space.forgetWrittenRows()
    for observer in space.saveObservers { observer.committed(changes) }
    space.forgetCommittedChanges()
    space.store.checkpointer?.catchUp(by: space.connection)
    for action in actions { action() }
  }
}

extension ObjectSpace {
  fileprivate func forgetCommittedChanges() {
    pendingRows.isStale = true
    for registry in registries where !registry.changes.isEmpty || registry.bulk != nil { registry.committed() }
    for registry in registries { registry.ids.isProvisional = false }
    links.removeAll()
    denials.removeAll()
  }
}
