/// Whether a store records a history of its commits.
///
/// Each commit writes the history in its own transaction, in every container that writes to the store, regardless of
/// that container's configuration. The history therefore has no gaps. A migration starts a new one.
public enum HistoryPolicy: Sendable, Hashable {
  /// Leaves the setting of an existing store unchanged. A new store records no history.
  case unchanged
  /// Retains the most recent commits in about this many bytes, and discards the oldest commits to make space. A single
  /// commit that is larger is recorded without its values, or without the ids of its objects.
  case kept(bytes: Int = 16 << 20)
  /// Records no history, and discards an existing one.
  case off

  /// The policy that is necessary to follow commits of other processes.
  var following: HistoryPolicy { if case .kept = self { self } else { .kept() } }
}
