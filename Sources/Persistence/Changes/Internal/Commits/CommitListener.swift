/// Forwards commits to closures.
final class CommitListener: CommitObserver {
  private let deliver: @Sendable (Commit) -> Void
  private let finish: @Sendable () -> Void

  /// - Parameters:
  ///   - deliver: Puts a commit on a queue.
  ///   - finish: Called when no more commits follow.
  init(_ deliver: @escaping @Sendable (Commit) -> Void, finish: @escaping @Sendable () -> Void = {}) {
    self.deliver = deliver
    self.finish = finish
  }

  func receive(_ commit: Commit) { deliver(commit) }

  func end() { finish() }
}
