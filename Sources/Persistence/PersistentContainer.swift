/// An open store, and the source of its contexts.
///
/// ```swift
/// let schema = Schema(FamilyMember.self, Movie.self)
/// let container = try await PersistentContainer(at: .file(url), schema: schema)
/// let context = container.newContext()
/// ```
///
/// A program usually has one container for each store. Several containers, even in different processes, can share a
/// file.
public final class PersistentContainer: Sendable {
  let store: Store

  /// The model classes.
  public var schema: Schema { store.schema }

  /// Whether the store is read-only, either because of ``StoreConfiguration/isReadOnly`` or because this process has no
  /// permission to write to its file.
  public var isReadOnly: Bool { store.configuration.isReadOnly }

  /// A report of the migration that ran when the store was opened, or nil if no migration was necessary.
  public var migration: MigrationReport? { store.migration }

  /// A report of how a corrupt file was handled when the store was opened, or nil if the file was intact. See
  /// ``StoreConfiguration/onCorruption``.
  public var recovery: RecoveryReport? { store.recovery }

  /// Opens a store, or creates an empty one if none exists. The work runs on a separate queue.
  ///
  /// A store that was created for other classes, or for an earlier version of them, is migrated first, in one
  /// transaction. If the migration fails or the process is killed, the store is unchanged.
  ///
  /// If opening fails, a file that was created for a new store is removed. The file and its journal or write-ahead log
  /// are left in place if another connection is using the file or if the disk refuses every further write, because a
  /// connection that has opened the file in the meantime needs both. The file becomes a store the next time it is
  /// opened.
  ///
  /// - Throws: ``PersistenceError/invalidSchema(_:)`` if the classes contradict each other,
  ///   ``PersistenceError/cannotOpen(_:)`` if the store cannot be opened, and ``PersistenceError/migrationFailed(_:)``
  ///   if it cannot be migrated. The store is unchanged after each of these errors. If the disk fails while the
  ///   migration is being committed, ``PersistenceError/indeterminate(_:)`` is thrown, and the store is either the old
  ///   one or the new one.
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

  /// The main actor's context. Each container has one.
  public let viewContext: ViewContext

  /// Creates a context with its own queue. This is cheap: the context connects to the store when it is first used.
  ///
  /// - Parameter policy: How a save handles attributes that were also changed elsewhere.
  public func newContext(merging policy: MergePolicy = .report) -> ObjectContext {
    store.contexts.make(for: store, merging: policy)
  }

  /// Closes the store, so that its file can be moved or removed.
  ///
  /// This method waits until the contexts have finished the calls made before this one, then releases their objects and
  /// connections. Unsaved changes are discarded.
  ///
  /// From then on, every call to the container's contexts throws ``PersistenceError/closed``, and objects that are
  /// still referenced count as deleted. Closing cannot be cancelled, and closing again does nothing. A container that
  /// is released without closing closes its store when the last of its contexts is released.
  public func close() async {
    for context in store.contexts.close() { await context.close() }
    await viewContext.close()
    await store.close()
  }
}
