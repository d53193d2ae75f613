/// An asynchronous sequence of the events that report the end of a session's downloads.
///
/// The sequence ends when every event has been delivered and no download is in progress: no further event will come
/// unless a download is started or resumed. A download that is started while the sequence waits, or while an event is
/// being handled, is therefore included. A paused download does not keep the sequence from ending. In a suspended
/// session, the sequence waits if a download will continue after ``DownloadSession/resume()``. The sequence that
/// ``DownloadSession/events(endsWhenIdle:)`` returns for `false` does not end for this reason.
///
/// The sequence also ends when the session is closed or the task that reads the sequence is cancelled. If several tasks
/// read events, each event is delivered to only one of them, and all of their sequences end.
public struct DownloadEvents: AsyncSequence, Sendable {
  /// The error type of the iteration, which never throws an error.
  public typealias Failure = Never
  let core: DownloadCore
  let endsWhenIdle: Bool

  /// Creates an iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Iterates over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let events: DownloadEvents
    private var isOver = false

    init(_ events: DownloadEvents) {
      self.events = events
    }

    /// Waits for the next event that has not been delivered yet, and returns it, or returns nil at the end of the
    /// sequence.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> DownloadEvent? {
      guard !isOver else { return nil }
      let event = await events.core.nextEvent(endsWhenIdle: events.endsWhenIdle)
      isOver = event == nil
      return event
    }
  }
}
