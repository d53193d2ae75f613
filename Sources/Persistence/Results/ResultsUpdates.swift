internal import Foundation

/// A result's state, and then every change of it.
///
/// Every loop over it begins with the state at that time. A consumer who is more than 16 updates behind receives one
/// that stands for all that wait. It ends when the container is closed, or the task that iterates is cancelled.
public struct ResultsUpdates<Object: ManagedObject>: AsyncSequence, Sendable {
  /// Snapshots with what has changed.
  public typealias Element = ResultsUpdate<Object>
  /// It does not fail.
  public typealias Failure = Never

  private let core: ResultsCore

  init(_ core: ResultsCore) { self.core = core }

  /// Takes one update after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let listener: ResultsListener
    private var signals: AsyncStream<Void>.Iterator
    private var last: ResultsSnapshot<Object>?

    fileprivate init(_ core: ResultsCore) {
      listener = ResultsListener(core)
      signals = listener.signals.makeAsyncIterator()
    }

    /// The next update.
    public mutating func next() async -> ResultsUpdate<Object>? { await next(isolation: nil) }

    /// The next update.
    public mutating func next(isolation: isolated (any Actor)?) async -> ResultsUpdate<Object>? {
      while !Task.isCancelled {
        if let (rows, difference) = listener.take() {
          let snapshot = ResultsSnapshot<Object>(rows)
          // The first one may stand for several that came before it was taken: it has nothing to differ from.
          let rows = last == nil ? RowsDifference(removed: [], inserted: [], touched: []) : difference
          let difference = ResultsDifference<Object>(rows, from: last ?? snapshot, to: snapshot)
          last = snapshot
          return ResultsUpdate(snapshot: snapshot, difference: difference)
        }
        guard await signals.next(isolation: isolation) != nil else { return nil }
      }
      return nil
    }
  }

  /// An iterator that begins with the present state.
  public func makeAsyncIterator() -> Iterator { Iterator(core) }
}
