internal import Foundation

/// Passes the chunks of a body from one transfer to one consumer, and signals the transfer when to pause.
///
/// Every call out (a resumed reader, `onFlow`, `onCancel`) is made without the lock: a task's cancellation handler
/// runs under the task's own lock, and taking the two in opposite orders would deadlock.
final class BodyChannel: ResponseBodySource {
  private let state: Lock<BodyChannelState>
  private let onFlow: @Sendable () -> Void
  private let onCancel: @Sendable () -> Void

  /// - Parameters:
  ///   - pauseAt: How many bytes wait before the sender should pause.
  ///   - highWater: How many bytes wait before ``offer(_:)`` rejects more.
  ///   - onFlow: Called after each change of ``isHeldBack``, from the caller of ``offer(_:)`` or ``deliver()`` or from
  ///     the reader's task. Two calls can overtake each other, so it must read the property.
  ///   - onCancel: Called at most once, if the reader stops before the end; from any thread.
  init(
    pauseAt: Int = .max, highWater: Int, onFlow: @escaping @Sendable () -> Void,
    onCancel: @escaping @Sendable () -> Void
  ) {
    state = Lock(BodyChannelState(pauseAt: pauseAt, highWater: highWater))
    self.onFlow = onFlow
    self.onCancel = onCancel
  }

  /// Whether the sender should pause, because bytes wait for the reader.
  var isHeldBack: Bool { state.withLock { $0.isHeldBack } }

  /// Accepts a chunk, or rejects it if too many bytes wait.
  func offer(_ chunk: Data) -> Bool {
    let (isTaken, actions) = state.withLock { state in
      let (isFull, action) = state.isFull()
      if isFull { return (false, [action]) }
      return (true, [state.accept { $0.isEmpty ? $0 = chunk : $0.append(chunk) }, state.deliver()])
    }
    for action in actions { perform(action) }
    return isTaken
  }

  // For a sender that calls under a lock of its own and therefore pauses itself: nothing is called out.

  /// Whether too many bytes wait to accept more. If so, `onFlow` is called when they have been read.
  func isFull() -> Bool { state.withLock { $0.isFull().0 } }

  /// Accepts a copy of the bytes. Returns whether a reader waits for ``deliver()``.
  func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      _ = state.accept { $0.append(contentsOf: bytes) }
      return state.hasDelivery
    }
  }

  /// Passes accepted bytes to the waiting reader.
  func deliver() {
    perform(state.withLock { $0.deliver() })
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
    if action.pauses || action.demands { onFlow() }
    if action.cancels { onCancel() }
  }
}
