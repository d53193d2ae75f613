public import Observation

/// Keeps the results of a fetch request up to date for a user interface, on the main actor. The results are updated
/// with every commit.
///
/// ```swift
/// let movies = try await container.viewContext.results(
///   FetchDescriptor(Movie.self, sort: [.ascending(\.title)]))
/// // Or observe `movies.snapshot`, or iterate over `movies.results.updates`.
/// movies.delegates.add(screen)
/// let first = try movies.object(at: 0)
/// ```
///
/// ``snapshot`` changes only on the main actor, between the calls to the delegates. When the snapshot changes, the view
/// context's objects already have the values from the commit that the snapshot reflects. The snapshot contains only
/// ids. To get an object, call ``object(at:)-(Int)``.
@MainActor @Observable public final class FetchedResultsController<Object: ManagedObject> {
  /// The ids of the objects in the results, in the sort order of the request.
  public private(set) var snapshot: ResultsSnapshot<Object>

  /// The error from the most recent attempt to read the store, or nil if the attempt succeeded. After an error, the
  /// snapshot remains out of date until reading succeeds after a later commit.
  public private(set) var failure: PersistenceError?

  /// The delegates, which are notified of each change. The controller holds its delegates weakly.
  @ObservationIgnored
  public let delegates = MulticastDelegate<any FetchedResultsControllerDelegate<Object>> { $0 }

  /// The underlying live results, which can be used on any actor or in any task.
  @ObservationIgnored
  public let results: LiveResults<Object>

  @ObservationIgnored private let context: ViewContext
  @ObservationIgnored private let key = ListenerKey()

  init(_ results: LiveResults<Object>, in context: ViewContext) {
    self.results = results
    self.context = context
    snapshot = ResultsSnapshot(ResultsRows(order: ResultsOrder(descending: []), hasSections: false))
    let target = WeakReference<FetchedResultsController<Object>>()
    let inbox = context.store.mainInbox
    let listener = ResultsCore.Listener(isLate: false) { event in inbox.add { target.object?.receive(event) } }
    snapshot = ResultsSnapshot(results.core.add(key, listener))
    failure = results.failure
    target.object = self
  }

  deinit { results.core.remove(ObjectIdentifier(key)) }

  /// Returns the object at an index of the snapshot, or nil if the object has been deleted since the snapshot was made.
  public func object(at index: Int) throws(PersistenceError) -> Object? {
    try context.objects.existingObject(snapshot[index])
  }

  /// Returns the object at a position in a section, or nil if the object has been deleted since the snapshot was made.
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
    for position in change.deletedSections { delegate.results(self, didChangeSectionAt: position, by: .deleted) }
    for position in change.insertedSections { delegate.results(self, didChangeSectionAt: position, by: .inserted) }
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
  /// Fetches the objects that match a request, and returns a controller for the main actor that updates the results
  /// with every commit.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the request is not supported, or a different
  ///   ``PersistenceError`` if the store could not be read.
  public func results<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>
  ) async throws(PersistenceError) -> FetchedResultsController<Object> {
    try await results(request, hasSections: false)
  }

  /// Fetches the objects that match a request, and returns a controller for the main actor that updates the results
  /// with every commit. The objects are grouped into sections by the value of an attribute.
  ///
  /// If the request's first sort key is not the section attribute, the results are sorted by the section attribute in
  /// ascending order, and then by the request's sort keys.
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
    let controller = FetchedResultsController(LiveResults<Object>(core), in: self)
    await store.settleMain()
    return controller
  }

  /// Fetches the objects that match a request, as the method of the same name does, and blocks the main thread until
  /// the store responds, so that the first frame of a view can show them.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the request is not supported, or a different
  ///   ``PersistenceError`` if the store could not be read.
  public func results<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>
  ) throws(PersistenceError) -> FetchedResultsController<Object> {
    let controller = try startedResults(request, hasSections: false)
    if let failure = controller.failure { throw failure }
    return controller
  }

  /// Fetches the objects that match a request in sections, as the method of the same name does, and blocks the main
  /// thread until the store responds.
  ///
  /// - Throws: ``PersistenceError/unsupportedQuery(_:)`` if the request is not supported, or a different
  ///   ``PersistenceError`` if the store could not be read.
  public func results<Object: ManagedObject, Key: AttributeValue>(
    _ request: FetchDescriptor<Object>, sectionedBy path: any KeyPath<Object, Key> & Sendable
  ) throws(PersistenceError) -> FetchedResultsController<Object> {
    let controller = try startedResults(request.sectioned(by: path), hasSections: true)
    if let failure = controller.failure { throw failure }
    return controller
  }

  /// Returns a controller that has been started, even if the rows cannot be read now. It then has the failure, and
  /// reads them after the next commit, or when a suspended container is resumed.
  package func startedResults<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>, hasSections: Bool
  ) throws(PersistenceError) -> FetchedResultsController<Object> {
    _ = try objects
    let core = try ResultsCore(request, hasSections: hasSections, store)
    core.startNow()
    let controller = FetchedResultsController(LiveResults<Object>(core), in: self)
    takeOnCommits()
    return controller
  }
}
