/// Passes commits on.
final class CommitRelay: CommitObserver {
  private let deliver: @Sendable (Commit) -> Void
  private let finish: @Sendable () -> Void

  /// - Parameters:
  ///   - deliver: puts a commit on a queue.
  ///   - finish: is told that there are no more.
  init(_ deliver: @escaping @Sendable (Commit) -> Void, finish: @escaping @Sendable () -> Void = {}) {
    self.deliver = deliver
    self.finish = finish
  }

  func receive(_ commit: Commit) { deliver(commit) }

  func end() { finish() }
}
