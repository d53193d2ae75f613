/// A store, and where its contexts come from.
///
/// ```swift
/// let schema = Schema(FamilyMember.self, Movie.self)
/// let container = try await PersistentContainer(at: .file(url), schema: schema)
/// let context = container.newContext()
/// ```
///
/// A program usually has one container for each store. Several, also in several processes, may share a file.
public final class PersistentContainer: Sendable {
  let store: Store

  /// The model classes.
  public var schema: Schema { store.schema }

  /// Whether the store is only read: because ``StoreConfiguration/isReadOnly`` says so, or because this process may not
  /// write to its file.
  public var isReadOnly: Bool { store.configuration.isReadOnly }

  /// What was done to an older store when it was opened; nil if there was nothing to do.
  public var migration: MigrationReport? { store.migration }

  /// What was done with a damaged file when the store was opened; nil if it was not damaged. See
  /// ``StoreConfiguration/onDamage``.
  public var recovery: RecoveryReport? { store.recovery }

  /// Opens a store, or makes an empty one where there is none. The work is done on a queue of its own.
  ///
  /// A store that was made for other classes, or an earlier version of them, is migrated first, in one transaction:
  /// whatever fails, and whenever the process may be killed, it is as it was.
  ///
  /// A file that was made for a new store is taken back if the opening fails. It stays where somebody else is busy with
  /// it, and on a disk that refuses every write from then on, with the journal or log that tells what it holds: whoever
  /// else has opened it meanwhile needs both. The next opening makes a store of it.
  ///
  /// - Throws: ``PersistenceError/invalidSchema(_:)`` if the classes contradict themselves,
  ///   ``PersistenceError/cannotOpen(_:)`` if the store cannot be opened, and ``PersistenceError/migrationFailed(_:)``
  ///   if it cannot be migrated; it is left as it was. ``PersistenceError/indeterminate(_:)`` if the disk fails in the
  ///   very moment when the migration is committed: the store is the old one or the new one.
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

  /// The main actor's context: there is one for each container.
  public let viewContext: ViewContext

  /// A context on a queue of its own. Making one costs next to nothing; it connects to the store when it is first used.
  ///
  /// - Parameter policy: what a save does about attributes that somebody else has changed too.
  public func newContext(merging policy: MergePolicy = .report) -> ObjectContext {
    store.contexts.make(for: store, merging: policy)
  }

  /// Closes the store, so that its file can be moved or removed: waits until the contexts have done what they were
  /// asked for before this call, then lets go of their objects and connections. Changes that were not saved are given
  /// up.
  ///
  /// From here on whatever is asked of the container's contexts throws ``PersistenceError/closed``, and objects that
  /// are still held are deleted ones. It cannot be cancelled, and closing again does nothing. A container that is
  /// merely dropped closes its store once the last of its contexts is gone.
  public func close() async {
    for context in store.contexts.close() { await context.close() }
    await viewContext.close()
    await store.close()
  }
}
