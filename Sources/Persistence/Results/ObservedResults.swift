internal import Dispatch
public import Observation

/// A request's objects on the main actor, kept up with every commit: for user interfaces.
///
/// ```swift
/// let movies = try await container.viewContext.results(FetchRequest(Movie.self, sort: [.ascending(\.title)]))
/// movies.delegates.add(screen)              // or observe `movies.snapshot`, or iterate over `movies.results.updates`
/// let first = try movies.object(at: 0)
/// ```
///
/// ``snapshot`` changes on the main actor only, together with what the delegates are told, and after the view context's
/// objects have taken the values of the same commit. It holds ids: ``object(at:)-(Int)`` makes objects where they are
/// needed.
@MainActor @Observable public final class ObservedResults<Object: ManagedObject> {
  /// The ids of the objects, in the request's order.
  public private(set) var snapshot: ResultsSnapshot<Object>

  /// Why the store could not be read when it had to be, if so: the snapshot is out of date until a later commit.
  public private(set) var failure: PersistenceError?

  /// Those who hear of changes step by step. They are held weakly.
  @ObservationIgnored
  public let delegates = MulticastDelegate<any FetchedResultsDelegate<Object>> { $0 }

  /// The same objects for any isolation.
  @ObservationIgnored
  public let results: FetchedResults<Object>

  @ObservationIgnored private let context: ViewContext
  @ObservationIgnored private let key = ListenerKey()

  init(_ results: FetchedResults<Object>, in context: ViewContext) {
    self.results = results
    self.context = context
    snapshot = ResultsSnapshot(ResultsRows(order: ResultsOrder(descending: []), hasSections: false))
    let target = WeakReference<ObservedResults<Object>>()
    snapshot = ResultsSnapshot(
      results.core.add(key) { event in
        DispatchQueue.main.async { MainActor.assumeIsolated { target.object?.receive(event) } }
      })
    target.object = self
  }

  deinit { results.core.remove(ObjectIdentifier(key)) }

  /// The object at an index of the snapshot; nil if it was deleted meanwhile.
  public func object(at index: Int) throws(PersistenceError) -> Object? {
    try context.objects.existingObject(snapshot[index])
  }

  /// The object at a place in a section; nil if it was deleted meanwhile.
  public func object(at position: ResultsPosition) throws(PersistenceError) -> Object? {
    try context.objects.existingObject(snapshot[position])
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

  private func tell(_ delegate: any FetchedResultsDelegate<Object>, _ change: ResultsDifference<Object>) {
    for place in change.deletedSections { delegate.results(self, didChangeSectionAt: place, by: .deleted) }
    for place in change.insertedSections { delegate.results(self, didChangeSectionAt: place, by: .inserted) }
    for row in change.deletions {
      delegate.results(self, didChange: row.id, at: row.position, by: .deleted, newPlace: nil)
    }
    for row in change.insertions {
      delegate.results(self, didChange: row.id, at: nil, by: .inserted, newPlace: row.position)
    }
    for row in change.moves { delegate.results(self, didChange: row.id, at: row.from, by: .moved, newPlace: row.to) }
    for row in change.updates {
      delegate.results(self, didChange: row.id, at: row.from, by: .updated, newPlace: row.to)
    }
    delegate.resultsDidChange(self)
  }

  /// `Sendable`, unlike the results during their `deinit`.
  private final class ListenerKey: Sendable {}
}

extension ViewContext {
  /// A request's objects for the main actor, kept up with every commit.
  ///
  /// - Throws: ``PersistenceError/refused(_:)`` if the request cannot be answered, or why the store could not be read.
  public func results<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) async throws(PersistenceError) -> ObservedResults<Object> {
    try await results(request, hasSections: false)
  }

  /// A request's objects for the main actor, kept up with every commit, in sections that have one value of an attribute
  /// in common. It is sorted by that attribute first, in rising order unless the request begins with it.
  ///
  /// - Throws: ``PersistenceError/refused(_:)`` if the request cannot be answered, or why the store could not be read.
  public func results<Object: ManagedObject, Key: AttributeValue>(
    _ request: FetchRequest<Object>, sectionedBy path: any KeyPath<Object, Key> & Sendable
  ) async throws(PersistenceError) -> ObservedResults<Object> {
    try await results(request.sectioned(by: path), hasSections: true)
  }

  private func results<Object: ManagedObject>(
    _ request: FetchRequest<Object>, hasSections: Bool
  ) async throws(PersistenceError) -> ObservedResults<Object> {
    // The context follows the store before the results do.
    _ = try objects
    let core = try await ResultsCore.started(request, hasSections: hasSections, store)
    return ObservedResults(FetchedResults(core), in: self)
  }
}
