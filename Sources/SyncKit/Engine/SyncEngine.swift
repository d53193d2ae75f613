public import Persistence

/// Keeps the objects of a store in step with an app's own API.
///
/// ```swift
/// let remote = IssueRemote(api: api)
/// let schema = Schema(Issue.self).synchronizing(remote.classes)
/// let container = try await PersistentContainer(at: .file(url), schema: schema)
/// let engine = try SyncEngine(container, with: remote)
/// try await engine.start()
/// ```
///
/// The app changes objects as always, in any context: `persist` never waits for the network. What was changed is in the
/// store until the server has it, and is sent once. What the server has is merged attribute by attribute, and what a
/// merge gives up is in ``conflicts()``. An object that the server does not take is in ``rejections()``, and holds only
/// what was changed together with it.
///
/// One engine drives a store at a time, in all processes. A started engine exists until ``stop()``, until the container
/// is closed, or until the program ends, at any moment.
///
/// ## Topics
///
/// ### Running
/// - ``init(_:with:pause:)``
/// - ``start()``
/// - ``stop()``
/// - ``synchronize()``
/// - ``refresh()``
/// - ``reconcile()``
///
/// ### What waits
/// - ``status()``
/// - ``statuses``
/// - ``status(of:)``
///
/// ### Commands
/// - ``enqueue(_:in:)``
/// - ``enqueue(_:)``
/// - ``commands()``
/// - ``retryCommand(_:)``
/// - ``discardCommand(_:)``
///
/// ### Decisions
/// - ``conflicts()``
/// - ``dismiss(_:)``
/// - ``rejections()``
/// - ``retry(_:)``
/// - ``discard(_:)``
/// - ``unconfirmed()``
/// - ``confirm(_:as:)``
/// - ``confirmDeletions(in:)``
public final class SyncEngine: Sendable {
  let driver: SyncDriver
  let tables: SyncedTables
  let translation: RemoteTranslation

  /// - Parameters:
  ///   - container: A container whose schema is made with the remote's classes, see
  ///     `Schema.synchronizing(_:)`.
  ///   - remote: The app's API. The engine keeps it.
  ///   - pause: Waits before later attempts. Tests replace it.
  /// - Throws: ``SyncError/invalidClass(type:reason:)``.
  public init(
    _ container: PersistentContainer, with remote: some SyncRemote,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) throws(SyncError) {
    tables = try SyncedTables(container.schema, remote.classes)
    translation = RemoteTranslation(tables)
    driver = SyncDriver(
      container, tables, with: TypedRemote(remote: remote, translation: translation), pause: pause)
  }

  /// Begins to send what waits, also from earlier runs of the program, and to look for changes on the server. Does
  /// nothing if the engine is running.
  ///
  /// - Throws: ``SyncError/alreadyDriven``, or an error of the store.
  public func start() async throws { try await driver.start() }

  /// Ends all requests, and lets another process drive. What the requests have changed is settled after the next start.
  ///
  /// Call it before the app is suspended: a suspended app may not hold the lock of a file in a shared folder. Do not
  /// call it from a ``SyncRemote``, whose calls it waits for.
  public func stop() async { await driver.stop() }

  /// Looks for changes on the server soon, without waiting: after a push message, a server-sent event, or at an
  /// interval. Ends the pause after ``RemoteFailure/unauthorized``.
  public func refresh() async { await driver.poll() }

  /// Reads all lists from the beginning soon, without waiting. A list of changes since a position does not show what it
  /// left out: call this now and then, for example once a day.
  public func reconcile() async { await driver.reconcile() }

  /// Sends what waits and looks for changes once. Returns when no request is in progress any more: either all is done,
  /// or what is left waits for a later attempt or for a decision. If the engine is not running, nothing is done. Do not
  /// call it from a ``SyncRemote``, whose calls it waits for.
  ///
  /// - Throws: An error of the store.
  @discardableResult public func synchronize() async throws -> SyncStatus {
    await driver.synchronize()
    return try await status()
  }
}
