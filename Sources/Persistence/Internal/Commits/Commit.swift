/// A change set, and its place among the commits of a container.
struct Commit: Sendable {
  let number: UInt64
  let changes: ChangeSet
}

/// Hears of commits.
protocol CommitObserver: AnyObject, Sendable {
  /// Is called in the order of the commits, while the next one waits: it must do nothing but put the commit on a queue.
  func receive(_ commit: Commit)

  /// The container is closed, and everybody was told of its last commit. May be called more than once.
  func end()
}
