public import Foundation

/// Options for opening a store. Every property has a default value that suits most programs.
public struct StoreConfiguration: Sendable {
  /// The failures that a committed transaction survives.
  public var durability = Durability.processCrash
  /// The maximum time that a context waits for another context or process to finish writing before it throws
  /// ``PersistenceError/busy(_:)``.
  public var busyTimeout = Duration.seconds(5)
  /// The capacity of each of a context's two caches: one for prepared statements, and one for prepared fetch requests.
  public var statementCacheCapacity = 128
  /// The maximum size, in bytes, of the page cache of a connection that has written to the store. The minimum is 64 KB.
  ///
  /// A connection that only reads uses at most 2 MB. Each context in use has its own connection. Use a smaller size if
  /// memory is scarce, for example in an app extension.
  public var pageCacheSize = 8 << 20
  /// The size, in bytes, to which the write-ahead log is truncated once its contents have been copied to the store.
  ///
  /// Checkpoints run concurrently with commits, each time the log has grown by a few megabytes. A commit waits for a
  /// checkpoint only if the log would otherwise grow beyond this size.
  public var logSizeLimit = 16 << 20
  /// The maximum size of the store in bytes, excluding its log. If this is nil, the size is limited only by the disk. A
  /// save that would exceed the maximum throws ``PersistenceError/full(_:)``.
  public var sizeLimit: Int?

  /// The data protection class of the store's file, its log and its index. If this is nil, which is the default, new
  /// files have the data protection class of their folder.
  ///
  /// With `.complete`, the store cannot be used while the device is locked. Backups and quarantined files have the data
  /// protection class of their folder. This property has no effect on Linux.
  public var fileProtection: FileProtectionType?
  /// Whether the store's file, its log and its index are excluded from backups. The default is false. This property has
  /// no effect on Linux. Setting the property to false does not remove an existing exclusion.
  public var isExcludedFromBackup = false

  /// Whether the store is opened read-only, for example because it ships with a program.
  ///
  /// A read-only store must exist and must not need a migration. Writing to it throws ``PersistenceError/readOnly``.
  /// Changes by other writers are visible. ``onCorruption`` and ``history`` have no effect.
  ///
  /// A file is always opened read-only if this process has no permission to write to it or to its folder. If no process
  /// has such a file open for writing when it is opened, the file is assumed never to change.
  public var isReadOnly = false

  /// Whether a store created for different classes, or for an earlier version of the classes, is migrated when it is
  /// opened. If this is false, opening such a store throws ``OpenFailure/Reason-swift.enum/migrationNeeded``.
  public var migratesAutomatically = true
  /// Whether a store is backed up before a migration that loses data or that has custom steps, which could lose data.
  /// The backup is stored next to the store: `store.db.v1.backup` is version 1 of `store.db`.
  public var backsUpBeforeDataLoss = true
  /// A closure that is called with the progress of a migration, before each step and after every 10,000 rows. It runs
  /// on the migration's thread.
  public var onMigrationProgress: (@Sendable (MigrationProgress) -> Void)?

  /// Whether the store keeps a history of its commits.
  public var history = HistoryPolicy.unchanged
  /// The interval at which the store checks whether another process or container has committed to its file. When
  /// it finds such commits, contexts and live results receive them just like commits by this container. The store also
  /// checks when a context begins to fetch.
  ///
  /// If this is nil, which is the default, the store never checks. Objects in memory then reflect commits by other
  /// processes and containers only after being fetched again, and live results do not reflect these commits at all. If
  /// a poll interval is set, the store records a history regardless of the ``history`` policy.
  public var pollInterval: Duration?
  /// The clock that measures ``pollInterval`` and the time limit of ``PersistentContainer/suspend(within:)``.
  public var pollClock: any Clock<Duration> = ContinuousClock()

  /// How a corrupt file is handled when the store is opened.
  public var onCorruption = CorruptionPolicy.refuse

  /// The SQLite VFS that the store uses in place of the default one, for tests with injected failures.
  package var vfs: VFS?

  /// A SQLite VFS that its owner has registered. Connections find it by its name, so the owner has to exist for as long
  /// as connections are opened.
  package struct VFS: Sendable {
    let name: String
    private let owner: any AnyObject & Sendable

    package init(name: String, owner: any AnyObject & Sendable) {
      self.name = name
      self.owner = owner
    }
  }

  /// Whether debug builds stop at the first access to an object outside its context. Tests of the behavior without this
  /// check turn it off.
  package var stopsOutsideContext = true

  /// Set once the store is open.
  var suspension: StoreSuspension?

  /// Whether the file is assumed never to change. It is then read without locks and needs no log.
  var isImmutable = false

  /// Whether checkpoints are guarded against SQLite's WAL-reset race. See ``CheckpointGuard``.
  var guardsCheckpoints = CheckpointGuard.isNeeded
  /// The log length, in pages, at which the first checkpoint runs, and the growth after which each later one runs.
  var checkpointStep = 1000

  /// Creates a configuration with the default options.
  public init() {}
}

/// The failures that a committed transaction survives.
public enum Durability: Sendable, Hashable {
  /// Transactions survive the end of the process, however it ends. After a power loss, the store is intact, but the
  /// most recent commits may be missing.
  case processCrash
  /// Transactions also survive a power loss, provided that the disk stores data permanently before confirming the
  /// write. Each commit waits for the disk.
  case powerLoss
}

/// The location of a store.
public enum StoreLocation: Sendable, Hashable {
  /// A SQLite file. Its folder must exist. The file and its log are created with permissions that allow access only by
  /// their owner (0600).
  case file(URL)
  /// The memory of this process. The container's contexts share the store, which is discarded with the container.
  case inMemory
}
