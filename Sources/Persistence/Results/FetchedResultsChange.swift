/// What has happened to an object, or a section, of a result.
public enum FetchedResultsChange: Sendable, Hashable {
  /// It was not there before.
  case inserted
  /// It is no longer there.
  case deleted
  /// It stands elsewhere. It may have other values too.
  case moved
  /// It stands where it was, and has other values.
  case updated
}
