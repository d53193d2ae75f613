/// Determines whether a store records a history of its commits.
///
/// If a store records a history, every container that writes to the store also records its commits in the history,
/// regardless of the container's own configuration. A commit and its entry in the history are written in the same
/// transaction, so the history has no gaps. A migration starts a new history, so tokens from before the migration
/// expire.
public enum HistoryPolicy: Sendable, Hashable {
  /// Keeps the setting of an existing store. A new store records no history.
  case unchanged
  /// Records a history of about the given number of bytes, and discards the oldest entries to make room for new ones.
  /// If a single commit exceeds this size, its entry omits the changed values and, if necessary, also the ids of the
  /// changed objects.
  case kept(bytes: Int = 16 << 20)
  /// Records no history and discards any existing history.
  case off

  /// The policy that is necessary to follow commits by other processes.
  var following: HistoryPolicy { if case .kept = self { self } else { .kept() } }
}
