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
