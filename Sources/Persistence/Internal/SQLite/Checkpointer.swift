internal import CSQLite
internal import Dispatch

/// Takes a store's write-ahead log over into its file, beside the writers.
///
/// Left to SQLite, every so many pages a commit does it, and waits twice for the disk: some ten times as long as for all else
/// that it does. Here that happens on a queue and a connection of its own, and hardly ever has a commit to wait for it. The
/// connection is opened each time: one that stayed would keep the log beside the file when nobody uses the store any more.
final class Checkpointer: Sendable {
  private let queue = DispatchQueue(label: "Persistence.checkpoints", qos: .utility)
  private let plan: Lock<CheckpointPlan>
  private let place: StorePlace
  private let configuration: StoreConfiguration

  init(_ place: StorePlace, _ configuration: StoreConfiguration) {
    plan = Lock(CheckpointPlan(keepingBelow: configuration.logSizeLimit))
    self.place = place
    self.configuration = configuration
  }

  /// After a commit.
  fileprivate func committed(pages: Int) {
    guard plan.withLock({ $0.committed(pages: pages) }) else { return }
    // The last connection of a store that is let go of meanwhile takes over all there is.
    queue.async { [weak self] in
      _ = self?.takeOver()
      self?.plan.withLock { $0.ended() }
    }
  }

  /// What it came to; nil if there was no connection for it.
  private func takeOver() -> Connection.Checkpoint? {
    do {
      return try Connection(place, configuration, isExisting: true).checkpoint()
    } catch {
      // Nothing is lost: the log keeps what it has. The next commit asks again, and at last the writer does it itself.
      return nil
    }
  }

  /// After a commit, where nobody waits for the writer: does what is left to do if the log has grown too long.
  ///
  /// While others went on writing, the log would never be taken over to its end and so never begin anew. They are kept from
  /// it meanwhile; but one who is in the midst of long work is not waited for.
  func catchUp(by writer: Connection) {
    guard plan.withLock({ $0.isBehind }) else { return }
    queue.sync {
      guard plan.withLock({ $0.isBehind }) else { return }
      let isAlone = writer.beginWriting(within: min(100, configuration.busyMilliseconds), of: configuration)
      let result = takeOver()
      if isAlone { writer.rollback() }
      if result == nil { _ = writer.checkpoint() }
      if isAlone && result == .whole { plan.withLock { $0.tookOverAll() } }
    }
  }

  /// Returns when what was begun is done.
  func settled() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  /// Runs the closure while nothing is taken over here. It must not wait for a writer that waits in ``catchUp(by:)``.
  func exclusively<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
    try queue.sync { Swift.Result(catching: body) }.get()
  }
}

extension Connection {
  /// The commits of this connection are told to `checkpointer`, which it keeps, in place of checkpoints of its own.
  func tell(_ checkpointer: Checkpointer) {
    self.checkpointer = checkpointer
    sqlite3_wal_hook(
      handle,
      { checkpointer, _, _, pages in
        guard let checkpointer else { return SQLITE_OK }
        // The connection keeps it for as long as it is open.
        Unmanaged<Checkpointer>.fromOpaque(checkpointer)._withUnsafeGuaranteedRef { $0.committed(pages: Int(pages)) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(checkpointer).toOpaque())
  }

  /// Takes over as much of the log as can be without waiting for anybody. If it fails, the log keeps what it has, and the next
  /// one tries again.
  func checkpoint() -> Checkpoint {
    var (pages, done): (Int32, Int32) = (-1, -1)
    guard isOpen,
      sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &done) == SQLITE_OK
    else { return .partial }
    return pages == done ? .whole : .partial
  }

  /// How much of the log a checkpoint has taken over.
  enum Checkpoint {
    case whole
    case partial
  }

  /// Begins a writer's transaction if nobody else's keeps it waiting for longer than this.
  fileprivate func beginWriting(within milliseconds: Int32, of configuration: StoreConfiguration) -> Bool {
    guard isOpen else { return false }
    sqlite3_busy_timeout(handle, milliseconds)
    defer { sqlite3_busy_timeout(handle, configuration.busyMilliseconds) }
    do {
      try beginWriting()
      return true
    } catch {
      return false
    }
  }
}
