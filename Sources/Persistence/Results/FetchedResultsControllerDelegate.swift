/// Receives the changes of a ``FetchedResultsController`` step by step, on the main actor.
///
/// Each update consists of these calls, in this order: ``resultsWillChange(_:)``, deleted sections, inserted sections,
/// deleted objects, inserted objects, moved objects, updated objects, and ``resultsDidChange(_:)``. During the first
/// call, the results still have the old snapshot, although the objects' attributes may already have their new values.
/// During all other calls, the results have the new snapshot, even if the store has changed further in the meantime.
/// Positions have the same meaning as in ``ResultsDifference``. All methods have default implementations that do
/// nothing.
@MainActor public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
  /// The class of the objects.
  associatedtype Object: ManagedObject

  /// Called before the results change.
  func resultsWillChange(_ results: FetchedResultsController<Object>)

  /// Called with the old index of a deleted section, or with the new index of an inserted section.
  func results(
    _ results: FetchedResultsController<Object>, didChangeSectionAt index: Int, by change: FetchedResultsChange)

  /// Called for an object that was inserted, deleted or moved, or whose values have changed.
  ///
  /// - Parameters:
  ///   - results: The results.
  ///   - id: The object.
  ///   - indexPath: The old position, or nil for an inserted object.
  ///   - change: The kind of change.
  ///   - newIndexPath: The new position, or nil for a deleted object.
  func results(
    _ results: FetchedResultsController<Object>, didChange id: ObjectID<Object>, at indexPath: ResultsIndexPath?,
    by change: FetchedResultsChange, newIndexPath: ResultsIndexPath?)

  /// Called after all changes have been reported.
  func resultsDidChange(_ results: FetchedResultsController<Object>)

  /// Called when the store could not be read. The results are out of date until a later commit.
  func results(_ results: FetchedResultsController<Object>, didFail failure: PersistenceError)
}

extension FetchedResultsControllerDelegate {
  /// Does nothing.
  public func resultsWillChange(_ results: FetchedResultsController<Object>) {}

  /// Does nothing.
  public func results(
    _ results: FetchedResultsController<Object>, didChangeSectionAt index: Int, by change: FetchedResultsChange
  ) {}

  /// Does nothing.
  public func results(
    _ results: FetchedResultsController<Object>, didChange id: ObjectID<Object>, at indexPath: ResultsIndexPath?,
    by change: FetchedResultsChange, newIndexPath: ResultsIndexPath?
  ) {}

  /// Does nothing.
  public func resultsDidChange(_ results: FetchedResultsController<Object>) {}

  /// Does nothing.
  public func results(_ results: FetchedResultsController<Object>, didFail failure: PersistenceError) {}
}

/// The kind of change to an object or a section of live results.
public enum FetchedResultsChange: Sendable, Hashable {
  /// The object or section is new.
  case inserted
  /// The object or section was removed.
  case deleted
  /// The object has moved. Its values may also have changed.
  case moved
  /// The object has not moved, but its values have changed.
  case updated
}
