internal import Dispatch
public import Observation

/// The objects that a request describes, for use on the main actor, updated with every commit. This class is designed
/// for user interfaces.
///
/// ```swift
/// let movies = try await container.viewContext.results(
///   FetchDescriptor(Movie.self, sort: [.ascending(\.title)]))
/// // Or observe `movies.snapshot`, or iterate over `movies.results.updates`.
/// movies.delegates.add(screen)
/// let first = try movies.object(at: 0)
/// ```
///
/// ``snapshot`` changes only on the main actor, together with the calls to the delegates, and after the view context's
/// objects have received the values of the same commit. The snapshot contains ids, and ``object(at:)-(Int)`` creates
/// objects when they are needed.
@MainActor @Observable public final class FetchedResultsController<Object: ManagedObject> {
  /// The ids of the objects, in the request's order.
  public private(set) var snapshot: ResultsSnapshot<Object>

  /// The error from the last attempt to read the store, or nil if the attempt succeeded. After an error, the snapshot
  /// is out of date until a later commit.
  public private(set) var failure: PersistenceError?

  /// The delegates, which receive the changes step by step. They are held weakly.
  @ObservationIgnored
  public let delegates = MulticastDelegate<any FetchedResultsControllerDelegate<Object>> { $0 }

  /// The same results, for use in any isolation.
  @ObservationIgnored
  public let results: LiveResults<Object>

  @ObservationIgnored private let context: ViewContext
  @ObservationIgnored private let key = ListenerKey()

  init(_ results: LiveResults<Object>, in context: ViewContext) {
    self.results = results
    self.context = context
    snapshot = ResultsSnapshot(ResultsRows(order: ResultsOrder(descending: []), hasSections: false))
    let target = WeakReference<FetchedResultsController<Object>>()
    snapshot = ResultsSnapshot(
      results.core.add(key) { event in
        DispatchQueue.main.async { MainActor.assumeIsolated { target.object?.receive(event) } }
      })
    target.object = self
  }

  deinit { results.core.remove(ObjectIdentifier(key)) }

  /// Returns the object at an index of the snapshot, or nil if it was deleted in the meantime.
  public func object(at index: Int) throws(PersistenceError) -> Object? {
    try context.objects.existingObject(snapshot[index])
  }

  /// Returns the object at a position in a section, or nil if it was deleted in the meantime.
  public func object(at indexPath: ResultsIndexPath) throws(PersistenceError) -> Object? {
    try context.objects.existingObject(snapshot[indexPath])
  }

  private func receive(_ event: ResultsCore.Event) {
    switch event {
    case .end: break
    case .failure(let error):
      failure = error
      delegates.invoke { $0.results(self, didFail: error) }
    case .update(let old, let new, let difference):
      if failure != nil { failure = nil }
      let (old, new) = (ResultsSnapshot<Object>(old), ResultsSnapshot<Object>(new))
      delegates.invoke { $0.resultsWillChange(self) }
      snapshot = new
      if delegates.isEmpty { return }
      let change = ResultsDifference(difference, from: old, to: new)
      delegates.invoke { tell($0, change) }
    }
  }

  private func tell(_ delegate: any FetchedResultsControllerDelegate<Object>, _ change: ResultsDifference<Object>) {
    for place in change.deletedSections { delegate.results(self, didChangeSectionAt: place, by: .deleted) }
    for place in change.insertedSections { delegate.results(self, didChangeSectionAt: place, by: .inserted) }
    for row in change.deletions {
      delegate.results(self, didChange: row.id, at: row.indexPath, by: .deleted, newIndexPath: nil)
    }
    for row in change.insertions {
      delegate.results(self, didChange: row.id, at: nil, by: .inserted, newIndexPath: row.indexPath)
    }
    for row in change.moves {
      delegate.results(self, didChange: row.id, at: row.from, by: .moved, newIndexPath: row.to)
    }
    for row in change.updates {
      delegate.results(self, didChange: row.id, at: row.from, by: .updated, newIndexPath: row.to)
    }
    delegate.resultsDidChange(self)
  }

  /// `Sendable`, unlike the results during their `deinit`.
  private final class ListenerKey: Sendable {}
}

extension ViewContext {
  /// Fetches a request's objects for the main actor, and updates them with every commit.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the request is not supported, or a different
  ///   ``PersistenceError`` if the store could not be read.
  public func results<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>
  ) async throws(PersistenceError) -> FetchedResultsController<Object> {
    try await results(request, hasSections: false)
  }

  /// Fetches a request's objects for the main actor, grouped into sections by the value of an attribute, and updates
  /// them with every commit.
  ///
  /// The results are sorted by that attribute first, in ascending order unless the request's sort order already begins
  /// with the attribute.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the request is not supported, or a different
  ///   ``PersistenceError`` if the store could not be read.
  public func results<Object: ManagedObject, Key: AttributeValue>(
    _ request: FetchDescriptor<Object>, sectionedBy path: any KeyPath<Object, Key> & Sendable
  ) async throws(PersistenceError) -> FetchedResultsController<Object> {
    try await results(request.sectioned(by: path), hasSections: true)
  }

  private func results<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>, hasSections: Bool
  ) async throws(PersistenceError) -> FetchedResultsController<Object> {
    // The context must follow the store before the results do.
    _ = try objects
    let core = try await ResultsCore.started(request, hasSections: hasSections, store)
    return FetchedResultsController(LiveResults(core), in: self)
  }
}
