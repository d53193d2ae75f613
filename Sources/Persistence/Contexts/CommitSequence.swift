internal import Dispatch

/// An asynchronous sequence of the commits that a container's contexts make after the sequence is created. The sequence
/// contains one change set for each commit, in the order in which the commits took effect. If
/// ``StoreConfiguration/pollInterval`` is set, commits by other processes and containers are included.
///
/// Each sequence keeps track of its own position. If the code that iterates over a sequence falls more than 256 commits
/// behind, the pending change sets are replaced by a single change set, which indicates that any object may have
/// changed.
///
/// When the container is closed, the sequence ends after the last commit. The sequence also ends when the iterating
/// task is cancelled.
public struct CommitSequence: AsyncSequence, Sendable {
  /// The type of the sequence's elements, each of which describes one commit.
  public typealias Element = ChangeSet
  /// The type of the sequence's errors: `Never`, because the sequence does not throw errors.
  public typealias Failure = Never

  private let listener: Listener

  init(_ store: Store) { listener = Listener(store) }

  /// An iterator over the change sets of a sequence. All iterators of a sequence share one position, so each change set
  /// is returned by only one of them.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let listener: Listener
    fileprivate var signals: AsyncStream<Void>.Iterator

    /// Waits for the next commit and returns its change set, or nil at the end of the sequence.
    public mutating func next() async -> ChangeSet? { await next(isolation: nil) }

    /// Waits for the next commit and returns its change set, or nil at the end of the sequence.
    public mutating func next(isolation: isolated (any Actor)?) async -> ChangeSet? {
      while !Task.isCancelled {
        if let changes = listener.take() {
          await listener.store.settleMain()
          return changes
        }
        guard await signals.next(isolation: isolation) != nil else { return nil }
      }
      return nil
    }
  }

  /// Creates an iterator that begins at the sequence's current position.
  public func makeAsyncIterator() -> Iterator {
    Iterator(listener: listener, signals: listener.signals.makeAsyncIterator())
  }

  /// Listens to the store's commits while the sequence, or an iterator of it, exists.
  fileprivate final class Listener: Sendable {
    let signals: AsyncStream<Void>
    private let buffer: Lock<CollapsingBuffer<ChangeSet>>
    private let listener: CommitListener
    let store: Store

    init(_ store: Store) {
      let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let buffer = Lock(CollapsingBuffer<ChangeSet>(limit: 256))
      let schema = store.access.schema
      let queue = store.commitQueue
      listener = CommitListener(
        settled: { commit in
          queue.async {
            buffer.withLock { buffer in
              buffer.append(commit.changes) { _ in ChangeSet(everythingOf: schema) }
            }
            continuation.yield()
          }
        }, finish: { continuation.finish() })
      self.signals = signals
      self.buffer = buffer
      self.store = store
      store.access.commits.add(listener)
    }

    deinit { store.access.commits.remove(listener) }

    func take() -> ChangeSet? { buffer.withLock { $0.take() } }
  }
}

extension PersistentContainer {
  /// A new sequence of the commits that this container's contexts make from now on.
  ///
  /// ```swift
  /// for await changes in container.commits where changes.affects(Movie.self) {
  ///   await showMovies()
  /// }
  /// ```
  public var commits: CommitSequence { CommitSequence(store) }
}
