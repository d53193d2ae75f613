internal import CLarderSQLite
internal import Dispatch

/// Checkpoints a store's write-ahead log alongside the writers.
///
/// Left to SQLite, a commit runs the checkpoint every so many pages and waits for the disk twice, about ten times as
/// long as for everything else it does. Here the checkpoint runs on a separate queue and connection, and a commit
/// hardly ever waits for it. The connection is opened for each checkpoint: one that stays open would keep the log file
/// on disk after everyone has stopped using the store.
final class Checkpointer: Sendable {
  private let queue = DispatchQueue(label: "Persistence.checkpoints", qos: .utility)
  private let plan: Lock<CheckpointPlan>
  private let place: StorePlace
  private let configuration: StoreConfiguration

  init(_ place: StorePlace, _ configuration: StoreConfiguration) {
    plan = Lock(CheckpointPlan(keepingBelow: configuration.logSizeLimit, every: configuration.checkpointStep))
    self.place = place
    self.configuration = configuration
  }

  /// Records a commit, and schedules a checkpoint if one is due.
  fileprivate func committed(pages: Int) {
    guard plan.withLock({ $0.committed(pages: pages) }) else { return }
    // If the store is released in the meantime, its last connection checkpoints everything.
    queue.async { [weak self] in
      _ = self?.takeOver()
      self?.plan.withLock { $0.ended() }
    }
  }

  /// Checkpoints as much of the log as possible without waiting for anyone. Returns whether that is all of it.
  ///
  /// - Parameter isGuarded: Whether a transaction of the caller serves as the guard.
  func takeOver(isGuarded: Bool = false) -> Bool {
    do {
      let connection = try Connection(place, configuration)
      let reader = isGuarded ? nil : try CheckpointGuard(place, configuration)
      return withExtendedLifetime(reader) { connection.checkpoint() }
    } catch {
      // Nothing is lost: the log keeps its contents, and the next commit requests a checkpoint again.
      return false
    }
  }

  /// Finishes an overdue checkpoint if the log has grown too long. Call it after a commit, when no one is waiting for
  /// the writer.
  ///
  /// While others keep writing, the log would never be copied completely and so never restart. This method therefore
  /// blocks writers during the checkpoint. It does not wait for a writer that is in the middle of long work.
  func catchUp(by writer: Connection) {
    guard plan.withLock({ $0.isBehind }) else { return }
    queue.sync {
      guard plan.withLock({ $0.isBehind }) else { return }
      let isAlone = writer.beginWriting(within: min(100, configuration.busyMilliseconds), of: configuration)
      // While this writer holds the lock no one else commits, so no one restarts the log.
      let isWhole = takeOver(isGuarded: isAlone)
      if isAlone { writer.rollback() }
      if isAlone && isWhole { plan.withLock { $0.tookOverAll() } }
    }
  }

  /// Checkpoints all of the log and truncates it. A reader that stays longer than the busy timeout prevents this; a
  /// later checkpoint then completes it.
  func emptyLog(by connection: Connection) throws(PersistenceError) {
    let reader = try CheckpointGuard(place, configuration)
    let deadline = ContinuousClock.now + configuration.busyTimeout
    var patience: Int32 = 100
    while true {
      _ = connection.checkpoint()
      // Once everything is copied, the restarted guard reads only the file and blocks no one. If someone has committed
      // in between, the guard blocks the truncation until the timeout ends. The timeout is therefore short at first.
      try reader?.restart()
      let isDone = try connection.truncateLog(within: min(patience, configuration.busyMilliseconds), of: configuration)
      if isDone || ContinuousClock.now >= deadline { return }
      patience = min(patience * 2, 1_600)
      try reader?.restart()
      Connection.pause(connection.handle)
    }
  }

  /// Waits until all checkpoints that have begun are done.
  func settled() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  /// Runs the closure while no checkpoint runs here. The closure must not wait for a writer that waits in
  /// ``catchUp(by:)``.
  func exclusively<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
    try queue.sync { Swift.Result(catching: body) }.get()
  }
}

extension Connection {
  /// Reports the commits of this connection to `checkpointer`, which replaces SQLite's automatic checkpoints. The
  /// connection retains it.
  func tell(_ checkpointer: Checkpointer) {
    self.checkpointer = checkpointer
    sqlite3_wal_hook(
      handle,
      { checkpointer, _, _, pages in
        guard let checkpointer else { return SQLITE_OK }
        // The connection retains it for as long as it is open.
        Unmanaged<Checkpointer>.fromOpaque(checkpointer)._withUnsafeGuaranteedRef { $0.committed(pages: Int(pages)) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(checkpointer).toOpaque())
  }

  /// Runs one step of ``Checkpointer/takeOver(isGuarded:)``, which provides the guard. If the step fails, the log keeps
  /// its contents.
  fileprivate func checkpoint() -> Bool {
    var (pages, done): (Int32, Int32) = (-1, -1)
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &done)
    return code == SQLITE_OK && pages == done
  }

  /// Truncates a log that has been copied completely. Returns false if a writer makes it wait longer than
  /// `milliseconds`: SQLite then runs only a checkpoint that waits for no one, and the guard covers that one.
  fileprivate func truncateLog(
    within milliseconds: Int32, of configuration: StoreConfiguration
  ) throws(PersistenceError) -> Bool {
    busyWait.limit = milliseconds
    defer { busyWait.limit = configuration.busyMilliseconds }
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if code == SQLITE_OK { return true }
    let error = PersistenceError(DatabaseError(handle, fallback: code, sql: nil))
    guard case .busy = error else { throw error }
    return false
  }

  /// Begins a write transaction. Returns false if another one keeps it waiting longer than `milliseconds`.
  fileprivate func beginWriting(within milliseconds: Int32, of configuration: StoreConfiguration) -> Bool {
    guard isOpen else { return false }
    busyWait.limit = milliseconds
    defer { busyWait.limit = configuration.busyMilliseconds }
    do {
      try beginWriting()
      return true
    } catch {
      return false
    }
  }
}
