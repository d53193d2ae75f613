/// An open store and the contexts for working with its objects.
///
/// ```swift
/// let schema = Schema(FamilyMember.self, Movie.self)
/// let container = try await PersistentContainer(at: .file(url), schema: schema)
/// let context = container.newContext()
/// ```
///
/// A program usually has one container for each store. Several containers, even in different processes, can use the
/// same store.
public final class PersistentContainer: Sendable {
  let store: Store

  /// The schema of the store's model classes.
  public var schema: Schema { store.access.schema }

  /// Whether the store is read-only, either because of ``StoreConfiguration/isReadOnly`` or because this process does
  /// not have the permissions that it needs to write to the store.
  public var isReadOnly: Bool { store.access.configuration.isReadOnly }

  /// A report of the migration that ran when the store was opened, or nil if no migration was necessary.
  public var migration: MigrationReport? { store.migration }

  /// A report of how a corrupt file was handled when the store was opened, or nil if the file was intact. See
  /// ``StoreConfiguration/onCorruption``.
  public var recovery: RecoveryReport? { store.recovery }

  /// Opens a store, or creates an empty one if none exists. The store is opened on a separate queue, so the calling
  /// thread is not blocked.
  ///
  /// A store that was created for different classes, or for an earlier version of the classes, is first migrated in a
  /// single transaction. If the migration fails or the process is killed, the store is unchanged.
  ///
  /// If opening fails, a file that was created for a new store is removed. However, the file and its journal or
  /// write-ahead log are kept if another connection is using the file, because that connection needs them. They are
  /// also kept if the disk rejects all further writes. A file that was kept becomes a store the next time it is opened.
  ///
  /// - Throws: ``PersistenceError/invalidSchema(_:)`` if the classes contradict each other,
  ///   ``PersistenceError/cannotOpen(_:)`` if the store cannot be opened, and ``PersistenceError/migrationFailed(_:)``
  ///   if the store cannot be migrated. After any of these errors, the store is unchanged. If the disk fails while the
  ///   migration is being committed, ``PersistenceError/indeterminate(_:)`` is thrown, and the store is either fully
  ///   migrated or unchanged.
  public init(
    at location: StoreLocation, schema: Schema,
    configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }
  ) async throws(PersistenceError) {
    var settings = StoreConfiguration()
    configure(&settings)
    let configuration = settings
    store = try await offThread { () throws(PersistenceError) in try Store(location, schema, configuration) }
    viewContext = ViewContext(store)
  }

  /// Creates an empty store in memory, for previews and tests, without waiting: a preview has to return its container
  /// immediately.
  ///
  /// - Throws: ``PersistenceError/invalidSchema(_:)`` if the classes contradict each other.
  public init(
    inMemory schema: Schema, configure: (inout StoreConfiguration) -> Void = { _ in }
  ) throws(PersistenceError) {
    var configuration = StoreConfiguration()
    configure(&configuration)
    store = try Store(.inMemory, schema, configuration)
    viewContext = ViewContext(store)
  }

  /// The container's only context for the main actor.
  public let viewContext: ViewContext

  /// Creates a context with its own queue. Creating a context is inexpensive, because the context connects to the store
  /// only when it is first used.
  ///
  /// - Parameter policy: Determines how a save handles attributes that another context has also changed.
  public func newContext(merging policy: MergePolicy = .report) -> ObjectContext {
    store.contexts.make(for: store, merging: policy)
  }

  /// Closes the store, so that its file can be moved or removed.
  ///
  /// This method waits until the contexts have finished all earlier calls, and then releases the contexts' objects and
  /// connections. Unsaved changes are discarded.
  ///
  /// After the store is closed, every call to the container's contexts throws ``PersistenceError/closed``, and objects
  /// that are still referenced behave like deleted objects. Closing cannot be cancelled, and closing a container again
  /// has no effect. If a container is released without being closed, its store is closed when the last of the
  /// container's contexts is released.
  public func close() async {
    for context in store.contexts.close() { await context.close() }
    await viewContext.close()
    await store.close()
  }
}
