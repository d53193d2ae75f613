/// An asynchronous sequence of the events that report the end of a session's downloads.
///
/// The sequence ends when the session is closed or the task that reads the sequence is cancelled. If several tasks read
/// events, each event is delivered to only one of them.
public struct DownloadEvents: AsyncSequence, Sendable {
  /// The error type of the iteration, which never throws an error.
  public typealias Failure = Never
  let core: DownloadCore

  /// Creates an iterator.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(core: core)
  }

  /// Iterates over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let core: DownloadCore

    /// Waits for the next event that has not been delivered yet, and returns it. The result is nil if the session is
    /// closed or the task is cancelled.
    public mutating func next() async -> DownloadEvent? {
      await core.nextEvent()
    }

    /// Waits for the next event that has not been delivered yet, and returns it. The result is nil if the session is
    /// closed or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadEvent? {
      await core.nextEvent()
    }
  }
}
