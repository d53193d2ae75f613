/// What a space is doing: the closure it runs, the transaction around it, and the first failure of a call that cannot
/// throw.
struct Unit {
  enum Phase {
    case idle
    /// Reads; what changes stays pending.
    case performing
    /// Reads and changes, to be saved together.
    case persisting
  }

  enum Transaction {
    case none
    case reading
    case writing
  }

  var phase = Phase.idle
  /// What ran on the closure's thread before it.
  var outer: UnsafeMutableRawPointer?
  var transaction = Transaction.none
  var failure: PersistenceError?
  var readFailure: PersistenceError?
  var queries = 0
  /// Changes when another connection has committed.
  var dataVersion: Int64?
  /// While a writer's transaction is open whose changes somebody wants to know: the slots that come with every changed
  /// row.
  var watched: [SlotSet]?
  /// The changes are wanted whether or not anybody follows: to be told, and not committed.
  var isPreviewing = false
  /// The closure has given up what was pending before it, too: its end puts nothing of that back.
  var hasGivenUp = false
  /// The commit undoes another one, or does it again.
  var isUndoing = false
  /// How many more objects a save validates before it takes them for objects that change each other for ever.
  var validationsLeft = 0
  /// What was written to the open transaction without objects.
  var bulk: ContiguousArray<EntityChanges> = []
}

extension ObjectSpace {
  /// How many queries there were since the space was made.
  package var queryCount: Int { unit.queries }

  /// How many prepared statements are kept for other purposes than fetches.
  package var cachedStatements: Int { connection.cachedStatements }

  /// How often each relationship was fetched on its own since the closure began (outside of closures: since the last
  /// one ended), by class and property, as in `Director.films`. Objects that came with one fetch are served together,
  /// ``FetchRequest/batchSize`` at a time, so that high numbers mean objects that were fetched one by one; ask for
  /// relationships with the objects to have none.
  public var relationshipFetches: [String: Int] { faults.byPath }

  /// Whether the caller is where the space may be used now.
  var isIsolated: Bool { isolation.pointee.isCurrent }

  /// Keeps the first failure of calls that cannot throw, for the end of the closure that is running on this thread.
  /// Where that is none of this space's, the space may be in use on another thread, so that only what is behind a lock
  /// is touched.
  func fail(_ error: PersistenceError) {
    if isIsolated {
      if unit.failure == nil { unit.failure = error }
    } else if let running = ObjectSpace.running {
      running.fail(error)
    } else {
      strayFailure.withLock { $0 = $0 ?? error }
    }
  }

  /// Keeps a failure to read. Outside of a closure it does not keep anything from being saved: the next fetch throws
  /// it.
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
