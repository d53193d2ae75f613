/// The state of a space's work: the closure that it runs, the transaction around it, and the first failure of a call
/// that cannot throw.
struct UnitOfWork {
  enum Phase {
    case idle
    /// Reads. Changes stay pending.
    case performing
    /// Reads and makes changes, which are saved together.
    case persisting
  }

  enum Transaction {
    case none
    case reading
    case writing
  }

  var phase = Phase.idle
  /// The space that was running on the closure's thread before.
  var outer: UnsafeMutableRawPointer?
  var transaction = Transaction.none
  var failure: PersistenceError?
  var readFailure: PersistenceError?
  var queries = 0
  /// The connection's data version. It changes when another connection has committed.
  var dataVersion: Int64?
  /// The slots to include with every changed row. Nil unless a write transaction is open whose changes are observed or
  /// recorded.
  var watched: [SlotSet]?
  /// What is recorded of the changes even if no one observes commits.
  var interest: SaveInterest = []
  /// Whether the closure has also discarded what was pending before it. The end of the closure then restores none of
  /// that.
  var hasGivenUp = false
  /// Whether the objects in memory have the values of other contexts' commits that the open write transaction sees.
  var isCurrent = false
  /// Whether the open transaction has written rows of other tables than those of classes and relationships.
  var hasWrittenRows = false
  /// What to do after the open transaction is committed.
  var whenCommitted: [@Sendable () -> Void] = []
  /// The end of the changes that the next save does not validate. Nil if it validates all.
  var validated: ContiguousArray<PendingChanges.Mark>?
  /// The number of write transactions so far.
  var writeTransactions = 0
}

extension ObjectSpace {
  /// The number of queries since the space was created.
  package var queryCount: Int { unit.queries }

  /// The number of cached statements, except those for fetches.
  package var cachedStatements: Int { connection.cachedStatements }

  /// The number of separate fetches of each relationship, keyed by the names of the class and the property, as in
  /// `Director.films`.
  ///
  /// Counting starts at the end of the most recent closure. In an ``ObjectContext``, whose objects are used only in
  /// closures, the count therefore covers the current closure. If objects come from the same fetch, a relationship is
  /// loaded for ``FetchDescriptor/batchSize`` of them at a time, so a high number indicates that the objects were
  /// fetched one by one. To avoid separate fetches, prefetch the relationship when you fetch the objects.
  public var relationshipFetches: [String: Int] { faults.byPath }

  /// Whether the caller is currently isolated to the space.
  var isIsolated: Bool { isolation.pointee.isCurrent }

  /// Records the first failure of calls that cannot throw, for the end of the closure that is running on this thread.
  /// If that closure belongs to another space or there is none, this space may be in use on another thread. Then only
  /// state protected by a lock is accessed.
  func fail(_ error: PersistenceError) {
    if isIsolated {
      if unit.failure == nil { unit.failure = error }
    } else if let running = ObjectSpace.running {
      running.fail(error)
    } else {
      strayFailure.withLock { $0 = $0 ?? error }
    }
  }

  /// Records a read failure. Outside a closure, it does not prevent saving: the next fetch throws it.
  func failReading(_ error: PersistenceError) {
    if isIsolated, unit.phase == .idle { unit.readFailure = error } else { fail(error) }
  }

  func throwFailure() throws(PersistenceError) {
    let stray = strayFailure.withLock { failure in
      defer { failure = nil }
      return failure
    }
    guard let failure = unit.failure ?? stray else { return }
    unit.failure = nil
    throw failure
  }
}
