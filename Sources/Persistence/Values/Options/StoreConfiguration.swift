public import Foundation

/// Options for opening a store. Every property has a default value that suits most programs.
public struct StoreConfiguration: Sendable {
  /// Whether committed transactions survive only the termination of the process, or also a power loss.
  public var durability = Durability.processCrash
  /// The maximum time that a context waits for another context or process to finish writing before throwing
  /// ``PersistenceError/busy(_:)``.
  public var busyTimeout = Duration.seconds(5)
  /// The maximum number of prepared statements that each context caches. The same maximum applies to prepared fetch
  /// requests.
  public var statementCacheCapacity = 128
  /// The maximum size, in bytes, of the page cache of a connection that has written to the store. A value below 64 KB
  /// is treated as 64 KB.
  ///
  /// The page cache of a connection that only reads is limited to 2 MB. Each context in use has its own connection. Set
  /// a smaller size if memory is scarce, for example in an app extension.
  public var pageCacheSize = 8 << 20
  /// The size, in bytes, to which the write-ahead log is truncated once its contents have been copied to the store.
  ///
  /// Each time the log has grown by a few megabytes, a checkpoint copies it to the store, concurrently with commits. A
  /// commit waits for a checkpoint only if the log would otherwise grow beyond this size.
  public var logSizeLimit = 16 << 20
  /// The maximum size of the store in bytes, excluding its log. If this property is nil, the size is limited only by
  /// the disk. A save that would exceed the maximum throws ``PersistenceError/full(_:)``.
  public var sizeLimit: Int?

  /// The data protection class of the store's file, its log and the log's index. If this property is nil, which is the
  /// default, new files have the data protection class of their folder.
  ///
  /// With `.complete`, the store cannot be used while the device is locked. Backups and quarantined files always have
  /// the data protection class of their folder, regardless of this property. This property has no effect on Linux.
  public var fileProtection: FileProtectionType?
  /// Whether the store's file, its log and the log's index are excluded from backups. The default is false. This
  /// property has no effect on Linux. Setting the property to false does not remove an existing exclusion.
  public var isExcludedFromBackup = false

  /// Whether the store is opened read-only. Set this property to true if, for example, an app bundle contains the
  /// store.
  ///
  /// A read-only store must exist and must not need a migration. Writing to a read-only store throws
  /// ``PersistenceError/readOnly``. Changes made by other processes or containers are visible. The properties
  /// ``onCorruption`` and ``history`` have no effect on a read-only store.
  ///
  /// Regardless of this property, a file is opened read-only if this process does not have permission to write to the
  /// file, or if the file has no log and this process does not have permission to create one in the file's folder. If
  /// this process lacks one of these permissions and no other process has the file open for writing, the library
  /// assumes that the file never changes, and reads it without locks.
  public var isReadOnly = false

  /// Whether a store is migrated when it is opened after its model classes have changed. If this property is false,
  /// opening a store that needs a migration throws ``PersistenceError/cannotOpen(_:)`` with the reason
  /// ``OpenFailure/Reason-swift.enum/migrationNeeded``.
  public var migratesAutomatically = true
  /// Whether a store is backed up before a migration that loses data, or that could lose data because it has custom
  /// steps. The backup is stored next to the store. For example, `store.db.v1.backup` is the backup of version 1 of
  /// `store.db`.
  public var backsUpBeforeDataLoss = true
  /// A closure that is called with the progress of a migration, before each step and after every 10,000 rows. The
  /// closure is called on the thread that runs the migration.
  public var onMigrationProgress: (@Sendable (MigrationProgress) -> Void)?

  /// Whether the store keeps a history of its commits.
  public var history = HistoryPolicy.unchanged
  /// The interval at which the store checks whether another process or container has committed changes to its file.
  /// Contexts and live results receive changes made by other processes and containers in the same way as changes made
  /// by this container. The store also checks when a context begins to fetch.
  ///
  /// Changes by other programs, such as the `sqlite3` command, are noticed too. It is not known what they have changed,
  /// so everything in memory is read again.
  ///
  /// If this property is nil, which is the default, the store never checks. Objects in memory then reflect commits by
  /// other processes and containers only after being fetched again, and live results do not reflect these commits at
  /// all. If a poll interval is set, the store records a history regardless of the ``history`` policy.
  public var pollInterval: Duration?
  /// The clock that measures ``pollInterval`` and the time limit of ``PersistentContainer/suspend(within:)``.
  public var pollClock: any Clock<Duration> = ContinuousClock()

  /// How a corrupt file is handled when the store is opened.
  public var onCorruption = CorruptionPolicy.refuse

  /// Returns how to handle a stored value that is not of its attribute's type. The default is
  /// ``UnreadableValuePolicy/fail`` for every value. The closure can also report the value: the reason says what is
  /// wrong with it without containing it, and the id is 0 if no object is known, as for distinct values.
  ///
  /// ```swift
  /// let container = try await PersistentContainer(
  ///   at: .file(url), schema: Schema(FamilyMember.self, Movie.self)
  /// ) {
  ///   $0.onUnreadableValue = { value in
  ///     print(value)
  ///     return .leaveOut
  ///   }
  /// }
  /// ```
  ///
  /// The closure is called on the thread that reads, each time that a row with such a value is read. It must not use
  /// the container.
  public var onUnreadableValue: @Sendable (InvalidValue) -> UnreadableValuePolicy = { _ in .fail }

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

  /// Whether checkpoints are guarded against SQLite's WAL-reset race if this version has it. Only tests turn it off.
  var guardsCheckpoints = true
  /// The log length, in pages, at which the first checkpoint runs, and the growth after which each later one runs.
  var checkpointStep = 1000

  /// Creates a configuration with the default options.
  public init() {}
}

/// The failures that a committed transaction survives.
public enum Durability: Sendable, Hashable {
  /// Committed transactions survive the termination of the process, even if it crashes or is killed. After a power
  /// loss, the store is intact, but the most recent commits may be missing.
  case processCrash
  /// Committed transactions survive the termination of the process and also a power loss, provided that the disk stores
  /// data permanently before it confirms the write. Each commit waits until the disk confirms the write.
  case powerLoss
}

/// The location of a store.
public enum StoreLocation: Sendable, Hashable {
  /// A SQLite file. The folder that contains the file must exist. The file and its log are created with permissions
  /// (0600) that allow only their owner to access them.
  case file(URL)
  /// The memory of this process. The container's contexts share the store, and the store is discarded together with the
  /// container.
  case inMemory
}
