#if os(Linux)
internal import Foundation

/// Buffers the bytes of a body between the loop and the consumer, up to a high-water mark.
final class CurlStream: Sendable {
  enum Offer {
    case taken(hasWaiter: Bool)
    case full
  }

  struct Reading: Sendable {
    var result: Result<Data?, TransportError>
    /// Whether the sender was paused because of the bytes that have now been taken.
    var resumesSender = false
  }

  private struct State {
    var buffer = Data()
    var waiter: CheckedContinuation<Reading, Never>?
    var end: Result<Data?, TransportError>?
    var isSenderPaused = false

    mutating func take() -> Reading? {
      guard !buffer.isEmpty else { return end.map { Reading(result: $0) } }
      defer { (buffer, isSenderPaused) = (Data(), false) }
      return Reading(result: .success(buffer), resumesSender: isSenderPaused)
    }
  }

  private let state = Lock(State())
  private let highWater: Int

  init(highWater: Int) {
    self.highWater = highWater
  }

  /// Called by the loop: accepts the bytes, or requests a pause because enough bytes wait already.
  func offer(_ bytes: UnsafeRawBufferPointer) -> Offer {
    state.withLock { state in
      if state.buffer.count >= highWater {
        state.isSenderPaused = true
        return .full
      }
      state.buffer.append(contentsOf: bytes)
      return .taken(hasWaiter: state.waiter != nil)
    }
  }

  /// Called by the loop without a lock: passes the buffered bytes to the waiting consumer.
  func wake() {
    let wakeUp = state.withLock { state -> (CheckedContinuation<Reading, Never>, Reading)? in
      guard let waiter = state.waiter, let reading = state.take() else { return nil }
      state.waiter = nil
      return (waiter, reading)
    }
    if let (waiter, reading) = wakeUp { waiter.resume(returning: reading) }
  }

  /// Called by the loop without a lock: ends the stream. The consumer still reads the buffered bytes, unless the
  /// transfer was cancelled.
  func end(with error: TransportError?) {
    state.withLock { state in
      if case .cancelled = error { state.buffer = Data() }
      state.end = error.map { .failure($0) } ?? .success(nil)
    }
    wake()
  }

  /// Called by the consumer: returns all buffered bytes, or waits for the next ones.
  func next() async -> Reading {
    await withCheckedContinuation { waiter in
      let (earlier, reading) = state.withLock { state -> (CheckedContinuation<Reading, Never>?, Reading?) in
        if let reading = state.take() { return (nil, reading) }
        defer { state.waiter = waiter }
        return (state.waiter, nil)
      }
      if let reading { waiter.resume(returning: reading) }
      earlier?.resume(returning: Reading(result: .failure(.invalidRequest(reason: "a body allows only one reader"))))
    }
  }
}

/// The source of a ``ResponseBody``. It holds the transport, so that its connections stay open while the body is read.
struct CurlBodySource: ResponseBodySource {
  let stream: CurlStream
  let transfer: CurlTransfer
  let transport: CurlTransport

  func next() async throws(TransportError) -> Data? {
    guard !Task.isCancelled else {
      cancel()
      throw .cancelled
    }
    let reading = await withTaskCancellationHandler {
      await stream.next()
    } onCancel: {
      cancel()
    }
    if reading.resumesSender { transport.loop.post(.resume(transfer)) }
    return try reading.result.get()
  }

  func cancel() {
    transport.loop.post(.cancel(transfer))
  }
}
#endif
