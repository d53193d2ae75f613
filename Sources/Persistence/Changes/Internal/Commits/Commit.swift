/// A change set and its position among the commits of a container.
struct Commit: Sendable {
  let number: UInt64
  let changes: ChangeSet
}

/// Receives commits.
protocol CommitObserver: AnyObject, Sendable {
  /// Receives a commit. Called in commit order while the next commit waits, so it must only put the commit on a queue.
  func receive(_ commit: Commit)

  /// Called as ``receive(_:)`` is, after every observer has received the commit. The observer that made it is called,
  /// too.
  func settle(_ commit: Commit)

  /// Called when the container is closed and every observer has received the last commit. May be called more than once.
  func end()
}
