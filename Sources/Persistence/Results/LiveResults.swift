internal import Foundation

/// The objects that a request describes, updated with every commit by the container's contexts.
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
/// Live results contain ids and sort keys, and contexts create the objects when they are needed. After a commit, the
/// changed rows are moved by binary search, without a query. Rows are read from the store again in these cases:
/// - A commit has changed more than 256 rows and more than a quarter of all rows.
/// - The request has a limit or an offset, or a condition or a sort key with related objects, and a relevant change was
///   committed. If there is no limit and no offset, and only objects of this class have changed, only the changed
///   objects are read.
/// - The changes are unknown, or known only by id.
///
/// If ``StoreConfiguration/pollInterval`` is set, commits by other processes and containers are included. The history
/// of these commits contains only the changed values of a row, so the row is read if other values are needed.
///
/// One update can cover several commits. A snapshot always shows the state of the store after one particular commit,
/// and the difference is always the exact difference from the previous snapshot.
///
/// On the main actor, ``FetchedResultsController`` is more convenient, because it has delegates and is `Observable`.
public final class LiveResults<Object: ManagedObject>: Sendable {
  let core: ResultsCore

  init(_ core: ResultsCore) { self.core = core }

  /// The current snapshot.
  public var snapshot: ResultsSnapshot<Object> { ResultsSnapshot(core.rows) }

  /// The error from the last attempt to read the store, or nil if the attempt succeeded. After an error, the snapshot
  /// is out of date until a commit after which reading succeeds.
  public var failure: PersistenceError? { core.failure }

  /// The current state of the results, followed by every change.
  public var updates: ResultsUpdates<Object> { ResultsUpdates(core) }
}

extension PersistentContainer {
  /// Fetches the objects that match a request, and updates the results with every commit.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the request is not supported, or a different
  ///   ``PersistenceError`` if the store could not be read.
  public func results<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>
  ) async throws(PersistenceError) -> LiveResults<Object> {
    try await results(request, hasSections: false)
  }

  /// Fetches the objects that match a request, grouped into sections by the value of an attribute, and updates the
  /// results with every commit.
  ///
  /// The results are sorted by that attribute first, in ascending order unless the request's sort order already begins
  /// with the attribute.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the request is not supported, or a different
  ///   ``PersistenceError`` if the store could not be read.
  public func results<Object: ManagedObject, Key: AttributeValue>(
    _ request: FetchDescriptor<Object>, sectionedBy path: any KeyPath<Object, Key> & Sendable
  ) async throws(PersistenceError) -> LiveResults<Object> {
    try await results(request.sectioned(by: path), hasSections: true)
  }

  private func results<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>, hasSections: Bool
  ) async throws(PersistenceError) -> LiveResults<Object> {
    LiveResults(try await ResultsCore.started(request, hasSections: hasSections, store))
  }
}

extension FetchDescriptor {
  func sectioned<Key: AttributeValue>(by path: any KeyPath<Object, Key> & Sendable) -> FetchDescriptor {
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
    guard let entity = store.schema.entity(of: Object.self) else { throw .notInSchema(type: "\(Object.self)") }
    let plan: ResultsPlan
    do {
      plan = try ResultsPlan(request, in: entity, hasSections: hasSections)
    } catch {
      throw .unsupportedQuery(error)
    }
    let core = ResultsCore(plan, store)
    try await core.start()
    return core
  }
}
