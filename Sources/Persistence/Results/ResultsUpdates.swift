internal import Foundation

/// An asynchronous sequence of the current state of live results and all later changes.
///
/// Each loop over the sequence starts with the current state. If a consumer falls more than 16 updates behind, a single
/// update replaces all pending updates. The sequence ends when the container is closed or the iterating task is
/// cancelled.
public struct ResultsUpdates<Object: ManagedObject>: AsyncSequence, Sendable {
  /// A snapshot and its difference from the previous snapshot.
  public typealias Element = ResultsUpdate<Object>
  /// `Never`, because the sequence does not throw.
  public typealias Failure = Never

  private let core: ResultsCore

  init(_ core: ResultsCore) { self.core = core }

  /// An iterator that returns one update after another.
  public struct Iterator: AsyncIteratorProtocol {
    private let listener: ResultsListener
    private var signals: AsyncStream<Void>.Iterator
    private var last: ResultsSnapshot<Object>?

    fileprivate init(_ core: ResultsCore) {
      listener = ResultsListener(core)
      signals = listener.signals.makeAsyncIterator()
    }

    /// Waits for the next update and returns it, or returns nil at the end of the sequence.
    public mutating func next() async -> ResultsUpdate<Object>? { await next(isolation: nil) }

    /// Waits for the next update and returns it, or returns nil at the end of the sequence.
    public mutating func next(isolation: isolated (any Actor)?) async -> ResultsUpdate<Object>? {
      while !Task.isCancelled {
        if let (rows, difference) = listener.take() {
          let snapshot = ResultsSnapshot<Object>(rows)
          // The first update may cover several earlier ones. It has no predecessor to differ from.
          let rows = last == nil ? RowsDifference(removed: [], inserted: [], touched: []) : difference
          let difference = ResultsDifference<Object>(rows, from: last ?? snapshot, to: snapshot)
          last = snapshot
          await listener.core.store.settleMain()
          return ResultsUpdate(snapshot: snapshot, difference: difference)
        }
        guard await signals.next(isolation: isolation) != nil else { return nil }
      }
      return nil
    }
  }

  /// Creates an iterator that starts with the current state.
  public func makeAsyncIterator() -> Iterator { Iterator(core) }
}

/// A snapshot and its difference from the previous snapshot.
public struct ResultsUpdate<Object: ManagedObject>: Sendable {
  /// The ids of the objects that match the request after a commit.
  public let snapshot: ResultsSnapshot<Object>
  /// The changes since the previous update. The first update has an empty difference.
  public let difference: ResultsDifference<Object>
}
