/// Receives commits, in commit order.
final class CommitListener: Sendable {
  /// Receives a commit while the next commit waits, so it must only put the commit on a queue.
  let receive: @Sendable (Commit) -> Void
  /// Called as ``receive`` is, after every listener has received the commit. The listener that made it is called, too.
  let settle: @Sendable (Commit) -> Void
  /// Called when the container is closed and every listener has received the last commit. May be called more than once.
  let end: @Sendable () -> Void

  init(
    _ receive: @escaping @Sendable (Commit) -> Void = { _ in },
    settled: @escaping @Sendable (Commit) -> Void = { _ in },
    finish: @escaping @Sendable () -> Void = {}
  ) {
    self.receive = receive
    settle = settled
    end = finish
  }
}
