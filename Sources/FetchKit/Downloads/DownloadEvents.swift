/// The ends of a session's downloads, as an asynchronous sequence without an end of its own.
///
/// It ends when the session is closed or the task is cancelled. Each event goes to one reader.
public struct DownloadEvents: AsyncSequence, Sendable {
  /// It does not throw.
  public typealias Failure = Never
  let core: DownloadCore

  /// Starts reading.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(core: core)
  }

  /// Hands out the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let core: DownloadCore

    /// The next event that nobody was given.
    public mutating func next() async -> DownloadEvent? {
      await core.nextEvent()
    }

    /// The next event that nobody was given.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadEvent? {
      await core.nextEvent()
    }
  }
}
