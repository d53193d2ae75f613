/// How a store is opened. Every member has a default that suits most programs.
public struct StoreConfiguration: Sendable {
  /// What a committed transaction survives.
  public var durability = Durability.processCrash
  /// How long a context waits for another one, or another process, that is writing, before it throws ``PersistenceError/busy(_:)``.
  public var busyTimeout = Duration.seconds(5)
  /// How many prepared statements each context keeps.
  public var statementCacheCapacity = 128
  /// The size in bytes that the write-ahead log is cut back to once its contents are in the store.
  public var logSizeLimit = 16 << 20
  /// The most bytes that the store may take, its log not counted; nil for no limit but the disk's. A save that would exceed
  /// it throws ``PersistenceError/full(_:)``.
  public var sizeLimit: Int?

  /// The name of a registered SQLite file system, for stores that fail on purpose.
  package var vfs: String?

  /// The defaults.
  public init() {}
}
