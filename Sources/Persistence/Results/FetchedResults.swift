internal import Foundation

/// The objects that a request asks for, kept up with every commit of the container's contexts.
///
/// ```swift
/// let request = FetchRequest(Movie.self, where: \.seen == false, sort: [.ascending(\.title)])
/// let results = try await container.results(request, sectionedBy: \.kind)
/// for await update in results.updates {
///   show(update.snapshot, changing: update.difference)
/// }
/// ```
///
/// It holds ids and sort keys; objects are made by the context where they are needed. A commit tells which rows have
/// changed and how: these are moved, by binary search, and nothing is asked of the store. Rows are read again
/// - if a commit has changed more than a quarter of the rows, and at least 256;
/// - after any change that matters, if the request has a limit or an offset, or its condition asks about related
///   objects;
/// - if what has changed is not known, or known by id alone.
///
/// Commits of other processes, and of other containers, are among them with ``StoreConfiguration/pollInterval``. The
/// history tells what has changed in a row, but not the rest of it: where that matters, the row is read.
///
/// One update then may stand for several commits. A snapshot always is the state of the store after one commit, and a
/// difference exactly what makes it of the snapshot before.
///
/// On the main actor, ``ObservedResults`` is more convenient: it has delegates, and is `Observable`.
public final class FetchedResults<Object: ManagedObject>: Sendable {
  let core: ResultsCore

  init(_ core: ResultsCore) { self.core = core }

  /// The present state.
  public var snapshot: ResultsSnapshot<Object> { ResultsSnapshot(core.rows) }

  /// Why the store could not be read when it had to be, if so. The snapshot then is out of date; the next commit that
  /// succeeds in reading brings it up to date again.
  public var failure: PersistenceError? { core.failure }

  /// The present state, and then every change of it.
  public var updates: ResultsUpdates<Object> { ResultsUpdates(core) }
}

extension PersistentContainer {
  /// A request's objects, kept up with every commit.
  ///
  /// - Throws: ``PersistenceError/refused(_:)`` if the request cannot be answered, or why the store could not be read.
  public func results<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) async throws(PersistenceError) -> FetchedResults<Object> {
    try await results(request, hasSections: false)
  }

  /// A request's objects, kept up with every commit, in sections that have one value of an attribute in common. It is
  /// sorted by that attribute first, in rising order unless the request begins with it.
  ///
  /// - Throws: ``PersistenceError/refused(_:)`` if the request cannot be answered, or why the store could not be read.
  public func results<Object: ManagedObject, Key: AttributeValue>(
    _ request: FetchRequest<Object>, sectionedBy path: any KeyPath<Object, Key> & Sendable
  ) async throws(PersistenceError) -> FetchedResults<Object> {
    try await results(request.sectioned(by: path), hasSections: true)
  }

  private func results<Object: ManagedObject>(
    _ request: FetchRequest<Object>, hasSections: Bool
  ) async throws(PersistenceError) -> FetchedResults<Object> {
    FetchedResults(try await ResultsCore.started(request, hasSections: hasSections, store))
  }
}

extension FetchRequest {
  func sectioned<Key: AttributeValue>(by path: any KeyPath<Object, Key> & Sendable) -> FetchRequest {
    if let first = sort.first, (first.keyPath as AnyKeyPath) == (path as AnyKeyPath) { return self }
    var request = self
    request.sort.insert(.ascending(path), at: 0)
    return request
  }
}

extension ResultsCore {
  static func started<Object: ManagedObject>(
    _ request: FetchRequest<Object>, hasSections: Bool, _ store: Store
  ) async throws(PersistenceError) -> ResultsCore {
    guard let entity = store.schema.entity(of: Object.self) else { throw .notInSchema(type: "\(Object.self)") }
    let plan: ResultsPlan
    do {
      plan = try ResultsPlan(request, in: entity, hasSections: hasSections)
    } catch {
      throw .refused(error)
    }
    let core = ResultsCore(plan, store)
    try await core.start()
    return core
  }
}
