/// Forwards commits to closures.
final class CommitListener: CommitObserver {
  private let deliver: @Sendable (Commit) -> Void
  private let settled: @Sendable (Commit) -> Void
  private let finish: @Sendable () -> Void

  /// - Parameters:
  ///   - deliver: Puts a commit on a queue.
  ///   - settled: Does so after every observer has received the commit.
  ///   - finish: Called when no more commits follow.
  init(
    _ deliver: @escaping @Sendable (Commit) -> Void = { _ in },
    settled: @escaping @Sendable (Commit) -> Void = { _ in },
    finish: @escaping @Sendable () -> Void = {}
  ) {
    self.deliver = deliver
    self.settled = settled
    self.finish = finish
  }

  func receive(_ commit: Commit) { deliver(commit) }

  func settle(_ commit: Commit) { settled(commit) }

  func end() { finish() }
}
