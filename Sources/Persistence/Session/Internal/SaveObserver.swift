/// Follows the saves of a space from outside of the save, as undo does. All calls come in the space's isolation.
protocol SaveObserver: AnyObject {
  /// What the observer needs to know of the changes. Asked when a write transaction begins.
  var interest: SaveInterest { get }

  /// Receives the changes of a commit. Called after it, so it cannot fail; also with changes that only others wanted.
  func committed(_ changes: ChangeSet)

  /// All objects and changes of the context are discarded.
  func reset()
}

enum SaveInterest: Comparable {
  case nothing
  /// The changed rows, with their old and new values, and the pairs of related objects.
  case rows
  /// Also the orders of ordered relationships, which have to be read before they change.
  case rowsAndOrders
}
