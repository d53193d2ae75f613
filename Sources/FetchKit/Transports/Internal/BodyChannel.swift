internal import Foundation

/// Passes the chunks of a body from one transfer to one consumer, and signals the transfer when to pause.
///
/// Every call out (a resumed reader, `onDemand`, `onCancel`) is made without the lock: a task's cancellation handler
/// runs under the task's own lock, and taking the two in opposite orders would deadlock.
final class BodyChannel: ResponseBodySource {
  private let state: Lock<BodyChannelState>
  private let onDemand: @Sendable () -> Void
  private let onCancel: @Sendable () -> Void

  /// - Parameters:
  ///   - highWater: How many bytes wait before ``offer(_:)`` rejects more.
  ///   - onDemand: Called once after each rejection, when there is space again; from the reader's task.
  ///   - onCancel: Called at most once, if the reader stops before the end; from any thread.
  init(highWater: Int, onDemand: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) {
    state = Lock(BodyChannelState(highWater: highWater))
    self.onDemand = onDemand
    self.onCancel = onCancel
  }

  /// Accepts a chunk, or rejects it if enough bytes wait. The transfer then pauses and offers the chunk again after
  /// `onDemand`.
  func offer(_ chunk: Data) -> Bool {
    let (isTaken, action) = state.withLock { $0.offer(chunk) }
    perform(action)
    return isTaken
  }

  /// Ends the body, normally or with an error that is thrown after the buffered chunks have been read.
  func finish(_ error: TransportError?) {
    perform(state.withLock { $0.finish(error) })
  }

  func next() async throws(TransportError) -> Data? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        perform(state.withLock { $0.read(continuation) })
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  func cancel() {
    perform(state.withLock { $0.cancel() })
  }

  private func perform(_ action: BodyChannelState.Action) {
    if let resumed = action.resume { resumed.0.resume(returning: resumed.1) }
    if action.demands { onDemand() }
    if action.cancels { onCancel() }
  }
}
