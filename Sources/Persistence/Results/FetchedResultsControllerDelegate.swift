/// Receives the changes to the results of a ``FetchedResultsController`` one by one, on the main actor.
///
/// For each update, the controller first calls ``resultsWillChange(_:)``. It then reports deleted sections, inserted
/// sections, deleted objects, inserted objects, moved objects and updated objects, in this order. Finally, it calls
/// ``resultsDidChange(_:)``.
///
/// In ``resultsWillChange(_:)``, the controller still has the old snapshot, although the attributes of the objects can
/// already have their new values. In all later calls for the update, the controller has the new snapshot, even if the
/// store has changed again in the meantime. Old positions refer to the old snapshot and new positions to the new
/// snapshot, as in ``ResultsDifference``. All methods have default implementations that do nothing.
@MainActor public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
  /// The class of the objects.
  associatedtype Object: ManagedObject

  /// Called before the results change.
  func resultsWillChange(_ results: FetchedResultsController<Object>)

  /// Called for each deleted section with the section's old index, and for each inserted section with the section's new
  /// index.
  func results(
    _ results: FetchedResultsController<Object>, didChangeSectionAt index: Int, by change: FetchedResultsChange)

  /// Called for each object that was inserted, deleted, moved or updated.
  ///
  /// - Parameters:
  ///   - results: The controller that reports the change.
  ///   - id: The id of the object.
  ///   - indexPath: The object's position in the old snapshot, or nil for an inserted object.
  ///   - change: The kind of change.
  ///   - newIndexPath: The object's position in the new snapshot, or nil for a deleted object.
  func results(
    _ results: FetchedResultsController<Object>, didChange id: ObjectID<Object>, at indexPath: ResultsIndexPath?,
    by change: FetchedResultsChange, newIndexPath: ResultsIndexPath?)

  /// Called after all changes have been reported.
  func resultsDidChange(_ results: FetchedResultsController<Object>)

  /// Called if the store could not be read after a commit. The results remain out of date until reading succeeds after
  /// a later commit.
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
  /// The object has moved, and its values may have changed as well.
  case moved
  /// The object has not moved, but its values have changed.
  case updated
}
