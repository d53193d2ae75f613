/// Hears of the changes of ``ObservedResults``, on the main actor, step by step.
///
/// For every change come, in this order: ``resultsWillChange(_:)``, the sections that go and come, the objects that go,
/// come, move and have other values, and ``resultsDidChange(_:)``. During the first, the results still show the old
/// snapshot, and the objects' attributes may be new already; from then on the new one, however far the store has gone
/// on meanwhile. Places are those of ``ResultsDifference``. All methods have implementations that do nothing.
@MainActor public protocol FetchedResultsDelegate<Object>: AnyObject {
  /// The class of the objects.
  associatedtype Object: ManagedObject

  /// Something is about to change.
  func resultsWillChange(_ results: ObservedResults<Object>)

  /// A section is gone, which stood at `place` before; or is new, and stands there now.
  func results(
    _ results: ObservedResults<Object>, didChangeSectionAt place: Int, by change: FetchedResultsChange)

  /// An object is gone, is new, stands elsewhere or has other values.
  ///
  /// - Parameters:
  ///   - results: the results.
  ///   - id: the object.
  ///   - place: where it was; nil for a new one.
  ///   - change: what has happened.
  ///   - newPlace: where it is now; nil for one that is gone.
  func results(
    _ results: ObservedResults<Object>, didChange id: ObjectID<Object>, at place: ResultsPosition?,
    by change: FetchedResultsChange, newPlace: ResultsPosition?)

  /// All is told.
  func resultsDidChange(_ results: ObservedResults<Object>)

  /// The store could not be read, so that the results are out of date until a later commit.
  func results(_ results: ObservedResults<Object>, didFail failure: PersistenceError)
}

extension FetchedResultsDelegate {
  /// Does nothing.
  public func resultsWillChange(_ results: ObservedResults<Object>) {}

  /// Does nothing.
  public func results(
    _ results: ObservedResults<Object>, didChangeSectionAt place: Int, by change: FetchedResultsChange
  ) {}

  /// Does nothing.
  public func results(
    _ results: ObservedResults<Object>, didChange id: ObjectID<Object>, at place: ResultsPosition?,
    by change: FetchedResultsChange, newPlace: ResultsPosition?
  ) {}

  /// Does nothing.
  public func resultsDidChange(_ results: ObservedResults<Object>) {}

  /// Does nothing.
  public func results(_ results: ObservedResults<Object>, didFail failure: PersistenceError) {}
}
