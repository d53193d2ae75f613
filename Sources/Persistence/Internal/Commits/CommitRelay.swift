/// Passes commits on.
final class CommitRelay: CommitObserver {
  private let deliver: @Sendable (Commit) -> Void

  /// - Parameter deliver: puts a commit on a queue.
  init(_ deliver: @escaping @Sendable (Commit) -> Void) { self.deliver = deliver }

  func receive(_ commit: Commit) { deliver(commit) }
}
