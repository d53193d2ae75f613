/// An asynchronous sequence of the events that report the end of a session's downloads.
///
/// The sequence ends when the session is closed or the task is cancelled. Each event is delivered to only one reader.
public struct DownloadEvents: AsyncSequence, Sendable {
  /// The sequence does not throw.
  public typealias Failure = Never
  let core: DownloadCore

  /// Creates an iterator.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(core: core)
  }

  /// Iterates over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let core: DownloadCore

    /// Returns the next event that has not been delivered yet, or nil if the session is closed or the task is
    /// cancelled.
    public mutating func next() async -> DownloadEvent? {
      await core.nextEvent()
    }

    /// Returns the next event that has not been delivered yet, or nil if the session is closed or the task is
    /// cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadEvent? {
      await core.nextEvent()
    }
  }
}
