/// Whether a store records a history of its commits.
///
/// If a store records a history, every container that writes to the store adds each commit to the history, in the
/// commit's own transaction and regardless of the container's configuration. The history therefore has no gaps. A
/// migration starts a new history.
public enum HistoryPolicy: Sendable, Hashable {
  /// Leaves an existing store's setting unchanged. A new store records no history.
  case unchanged
  /// Records a history of about this many bytes, and discards the oldest commits to make space. A single commit that
  /// exceeds this size is recorded without its values, or without the ids of its objects.
  case kept(bytes: Int = 16 << 20)
  /// Records no history and discards any existing history.
  case off

  /// The policy that is necessary to follow commits by other processes.
  var following: HistoryPolicy { if case .kept = self { self } else { .kept() } }
}
