/// How a store is opened. Every member has a default that suits most programs.
public struct StoreConfiguration: Sendable {
  /// What a committed transaction survives.
  public var durability = Durability.processCrash
  /// How long a context waits for another one, or another process, that is writing, before it throws
  /// ``PersistenceError/busy(_:)``.
  public var busyTimeout = Duration.seconds(5)
  /// How many prepared statements each context keeps.
  public var statementCacheCapacity = 128
  /// The size in bytes that the write-ahead log is cut back to once its contents are in the store. They are taken there
  /// beside the commits, every few megabytes; a commit waits for that only if the log would grow beyond this size.
  public var logSizeLimit = 16 << 20
  /// The most bytes that the store may take, its log not counted; nil for no limit but the disk's. A save that would
  /// exceed it throws ``PersistenceError/full(_:)``.
  public var sizeLimit: Int?

  /// Whether the store is only read, as one that is shipped with a program. It must be there and need no migration;
  /// what would write to it throws ``PersistenceError/readOnly``, and what others write to it is seen. ``onDamage`` and
  /// ``history`` have no effect.
  ///
  /// A file that this process may not write, or in whose folder it may not, is opened so in any case. If nobody has it
  /// open for writing then, it is taken for one that does not change.
  public var isReadOnly = false

  /// Whether a store that was made for other classes, or an earlier version of them, is migrated when it is opened. If
  /// not, opening it throws ``OpenFailure/Reason-swift.enum/migrationNeeded``.
  public var migratesAutomatically = true
  /// Whether a store is copied before a migration that loses something, or has custom steps, which might. The copy lies
  /// beside the store: `store.db.v1.backup` is what `store.db` was in version 1.
  public var backsUpBeforeLoss = true
  /// Told how far a migration has come, on the thread that does it: before each step, and for every 10 000 rows.
  public var onMigrationProgress: (@Sendable (MigrationProgress) -> Void)?

  /// Whether the store keeps a history of its commits.
  public var history = HistoryPolicy.asStored
  /// How often it is looked whether another process, or another container, has committed to the store's file. Their
  /// commits then reach contexts and live results as those of this container do. It is looked too when a context begins
  /// to fetch.
  ///
  /// Nil, the default, for never: objects that are in memory take foreign changes when they are fetched again, and live
  /// results do not. Where it is set, the store keeps a history, even if ``history`` does not say so.
  public var pollInterval: Duration?
  /// What tells the time for ``pollInterval``.
  public var pollClock: any Clock<Duration> = ContinuousClock()

  /// What is done with a damaged file when it is opened.
  public var onDamage = DamagePolicy.refuse

  /// The name of a registered SQLite file system, for stores that fail on purpose.
  package var vfs: String?

  /// Whether debug builds stop at the first access to an object outside its context. Tests of what happens without that
  /// turn it off.
  package var stopsOutsideContext = true

  /// Whether the file is taken for one that no process changes: it is read without locks and needs no log.
  var isImmutable = false

  /// Whether checkpoints are kept from SQLite's WAL-reset race. See ``CheckpointGuard``.
  var guardsCheckpoints = CheckpointGuard.isNeeded
  /// In pages: how long the log is when it is first taken over, and how much it grows until it is again.
  var checkpointStep = 1000

  /// The defaults.
  public init() {}
}
