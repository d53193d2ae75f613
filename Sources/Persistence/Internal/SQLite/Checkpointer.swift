internal import CSQLite
internal import Dispatch

/// Takes a store's write-ahead log over into its file, beside the writers.
///
/// Left to SQLite, every so many pages a commit does it, and waits twice for the disk: some ten times as long as for
/// all else that it does. Here that happens on a queue and a connection of its own, and hardly ever has a commit to
/// wait for it. The connection is opened each time: one that stayed would keep the log beside the file when nobody uses
/// the store any more.
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

  /// After a commit.
  fileprivate func committed(pages: Int) {
    guard plan.withLock({ $0.committed(pages: pages) }) else { return }
    // The last connection of a store that is let go of meanwhile takes over all there is.
    queue.async { [weak self] in
      _ = self?.takeOver()
      self?.plan.withLock { $0.ended() }
    }
  }

  /// Takes over as much of the log as can be without waiting for anybody.
  ///
  /// - Parameter isGuarded: whether a transaction of the caller's is the guard.
  func takeOver(isGuarded: Bool = false) -> Connection.Checkpoint {
    do {
      let connection = try Connection(place, configuration, isExisting: true)
      let reader = isGuarded ? nil : try CheckpointGuard(place, configuration)
      return withExtendedLifetime(reader) { connection.checkpoint() }
    } catch {
      // Nothing is lost: the log keeps what it has, and the next commit asks again.
      return .partial
    }
  }

  /// After a commit, where nobody waits for the writer: does what is left to do if the log has grown too long.
  ///
  /// While others went on writing, the log would never be taken over to its end and so never begin anew. They are kept
  /// from it meanwhile; but one who is in the midst of long work is not waited for.
  func catchUp(by writer: Connection) {
    guard plan.withLock({ $0.isBehind }) else { return }
    queue.sync {
      guard plan.withLock({ $0.isBehind }) else { return }
      let isAlone = writer.beginWriting(within: min(100, configuration.busyMilliseconds), of: configuration)
      // Nobody commits while the writer is alone, so that nobody begins the log again.
      let result = takeOver(isGuarded: isAlone)
      if isAlone { writer.rollback() }
      if isAlone && result == .whole { plan.withLock { $0.tookOverAll() } }
    }
  }

  /// Takes over all of the log and cuts it off. A reader that stays for longer than the busy timeout keeps the log from
  /// that; then a later checkpoint takes it over.
  func emptyLog(by connection: Connection) throws(PersistenceError) {
    let reader = try CheckpointGuard(place, configuration)
    let deadline = ContinuousClock.now + configuration.busyTimeout
    var patience: Int32 = 100
    while true {
      _ = connection.checkpoint()
      // Once all is taken over, the guard that begins again reads the file alone, and is in nobody's way. If somebody
      // has committed in between it is, for as long as the patience lasts; therefore that is short at first.
      try reader?.restart()
      let isDone = try connection.truncateLog(within: min(patience, configuration.busyMilliseconds), of: configuration)
      if isDone || ContinuousClock.now >= deadline { return }
      patience = min(patience * 2, 1_600)
      try reader?.restart()
      Connection.pause(connection.handle)
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

  /// One step of ``Checkpointer/takeOver(isGuarded:)``, which sees to the guard. If it fails, the log keeps what it
  /// has.
  fileprivate func checkpoint() -> Checkpoint {
    var (pages, done): (Int32, Int32) = (-1, -1)
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &done)
    return code == SQLITE_OK && pages == done ? .whole : .partial
  }

  /// Cuts off a log of which all is taken over. While a writer keeps it waiting for longer than this, SQLite does no
  /// more than a checkpoint that waits for nobody, which the guard is for.
  fileprivate func truncateLog(
    within milliseconds: Int32, of configuration: StoreConfiguration
  ) throws(PersistenceError) -> Bool {
    sqlite3_busy_timeout(handle, milliseconds)
    defer { sqlite3_busy_timeout(handle, configuration.busyMilliseconds) }
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if code == SQLITE_OK { return true }
    let error = PersistenceError(DatabaseError(handle, fallback: code, sql: nil))
    guard case .busy = error else { throw error }
    return false
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
