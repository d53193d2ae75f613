internal import Foundation

/// Keeps the results of a fetch request up to date, for use on any actor or in any task. The results are updated after
/// every commit that one of the container's contexts makes.
///
/// ```swift
/// let request = FetchDescriptor(
///   Movie.self, where: { !$0.seen }, sort: [.ascending(\.title)])
/// let results = try await container.results(request, sectionedBy: \.kind)
/// for await update in results.updates {
///   show(update.snapshot, changing: update.difference)
/// }
/// ```
///
/// Live results contain only ids and sort keys. To get an object, look up its id in a context. After a commit, the live
/// results usually find the new positions of the changed rows by binary search, without a query. They read rows from
/// the store again only in the following cases:
/// - The commit has changed more than 256 rows, and the number of changed rows is more than a quarter of the number of
///   rows in the results.
/// - The commit contains a relevant change, and the request has a limit, has an offset, or refers to related objects in
///   its condition or in a sort key. If the request has neither a limit nor an offset, and only objects of the
///   request's own class have changed, only the changed objects are read.
/// - It is not known what the commit changed, or only the ids of the changed objects are known.
///
/// If ``StoreConfiguration/pollInterval`` is set, the results are also updated after commits by other processes and
/// containers. These commits are read from the store's history, which contains only the changed values of each row. If
/// an unchanged value is also needed, the row is read from the store.
///
/// One update can cover several commits. A snapshot always shows the state of the store after one particular commit,
/// and the difference in an update is always the exact difference from the previous snapshot.
///
/// On the main actor, ``FetchedResultsController`` is more convenient, because it has delegates and is `Observable`.
public final class LiveResults<Object: ManagedObject>: Sendable {
  let core: ResultsCore

  init(_ core: ResultsCore) { self.core = core }

  /// The current snapshot.
  public var snapshot: ResultsSnapshot<Object> { ResultsSnapshot(core.rows) }

  /// The error from the most recent attempt to read the store, or nil if the attempt succeeded. After an error, the
  /// snapshot remains out of date until reading succeeds after a later commit.
  public var failure: PersistenceError? { core.failure }

  /// An asynchronous sequence of the current state of the results and all later changes.
  public var updates: ResultsUpdates<Object> { ResultsUpdates(core) }
}

extension PersistentContainer {
  /// Fetches the objects that match a request, and returns live results that are updated with every commit.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the request is not supported, or a different
  ///   ``PersistenceError`` if the store could not be read.
  public func results<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>
  ) async throws(PersistenceError) -> LiveResults<Object> {
    LiveResults(try await ResultsCore.started(request, hasSections: false, store))
  }

  /// Fetches the objects that match a request, and returns live results that are updated with every commit. The objects
  /// are grouped into sections by the value of an attribute.
  ///
  /// If the request's first sort key is not the section attribute, the results are sorted by the section attribute in
  /// ascending order, and then by the request's sort keys.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the request is not supported, or a different
  ///   ``PersistenceError`` if the store could not be read.
  public func results<Object: ManagedObject, Key: AttributeValue>(
    _ request: FetchDescriptor<Object>, sectionedBy path: any KeyPath<Object, Key> & Sendable
  ) async throws(PersistenceError) -> LiveResults<Object> {
    LiveResults(try await ResultsCore.started(request.sectioned(by: path), hasSections: true, store))
  }
}

extension FetchDescriptor {
  package func sectioned<Key: AttributeValue>(by path: any KeyPath<Object, Key> & Sendable) -> FetchDescriptor {
    if let first = sort.first?.keyPath, first == (path as AnyKeyPath) { return self }
    var request = self
    request.sort.insert(.ascending(path), at: 0)
    return request
  }
}

extension ResultsCore {
  static func started<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>, hasSections: Bool, _ store: Store
  ) async throws(PersistenceError) -> ResultsCore {
    let core = try ResultsCore(request, hasSections: hasSections, store)
    try await core.start()
    return core
  }

  convenience init<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>, hasSections: Bool, _ store: Store
  ) throws(PersistenceError) {
    guard let entity = store.access.schema.entity(of: Object.self) else { throw .notInSchema(type: "\(Object.self)") }
    let plan: ResultsPlan
    do {
      plan = try ResultsPlan(request, in: entity, hasSections: hasSections)
    } catch {
      throw .unsupportedQuery(error)
    }
    self.init(plan, store)
  }
}
