internal import Dispatch

/// The commits of a container's contexts from now on, one change set each, in the order in which they took effect. With
/// ``StoreConfiguration/pollInterval`` those of others are among them.
///
/// Every sequence has its own place. One whose consumer is more than 256 commits behind receives, in place of those
/// that wait, a change set that says that anything may have changed.
///
/// It ends when the container is closed, after the last commit, or when the task that iterates is cancelled.
public struct CommitSequence: AsyncSequence, Sendable {
  /// Change sets.
  public typealias Element = ChangeSet
  /// It does not fail.
  public typealias Failure = Never

  private let listener: Listener

  init(_ store: Store) { listener = Listener(store) }

  /// Takes one change set after the other. Iterators of the same sequence share them.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let listener: Listener
    fileprivate var signals: AsyncStream<Void>.Iterator

    /// The next commit's changes.
    public mutating func next() async -> ChangeSet? { await next(isolation: nil) }

    /// The next commit's changes.
    public mutating func next(isolation: isolated (any Actor)?) async -> ChangeSet? {
      while !Task.isCancelled {
        if let changes = listener.take() { return changes }
        guard await signals.next(isolation: isolation) != nil else { return nil }
      }
      return nil
    }
  }

  /// An iterator over the commits since the sequence was made.
  public func makeAsyncIterator() -> Iterator {
    Iterator(listener: listener, signals: listener.signals.makeAsyncIterator())
  }

  /// Follows the store for as long as the sequence, or an iterator of it, exists.
  fileprivate final class Listener: Sendable {
    let signals: AsyncStream<Void>
    private let buffer: Lock<CollapsingBuffer<ChangeSet>>
    private let relay: CommitRelay
    private let store: Store

    init(_ store: Store) {
      let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let buffer = Lock(CollapsingBuffer<ChangeSet>(limit: 256))
      let schema = store.schema
      let queue = store.commitQueue
      relay = CommitRelay { commit in
        queue.async {
          buffer.withLock { buffer in
            buffer.append(commit.changes) { _ in ChangeSet(everythingOf: schema) }
          }
          continuation.yield()
        }
      } finish: {
        continuation.finish()
      }
      self.signals = signals
      self.buffer = buffer
      self.store = store
      store.commits.add(relay)
    }

    deinit { store.commits.remove(relay) }

    func take() -> ChangeSet? { buffer.withLock { $0.take() } }
  }
}

extension PersistentContainer {
  /// The commits of this container's contexts from now on.
  ///
  /// ```swift
  /// for await changes in container.commits where changes.concerns(Movie.self) { await showMovies() }
  /// ```
  public var commits: CommitSequence { CommitSequence(store) }
}
