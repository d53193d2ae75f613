#if os(Linux)
internal import Foundation

/// Bytes of a body between the loop and the consumer, up to a high-water mark.
final class CurlStream: Sendable {
  enum Offer {
    case taken(someoneWaits: Bool)
    case full
  }

  struct Reading: Sendable {
    var result: Result<Data?, TransportError>
    /// The sender was held back by what has now been taken.
    var letsSenderGoOn = false
  }

  private struct State {
    var buffer = Data()
    var waiter: CheckedContinuation<Reading, Never>?
    var end: Result<Data?, TransportError>?
    var senderIsHeldBack = false

    mutating func take() -> Reading? {
      guard !buffer.isEmpty else { return end.map { Reading(result: $0) } }
      defer { (buffer, senderIsHeldBack) = (Data(), false) }
      return Reading(result: .success(buffer), letsSenderGoOn: senderIsHeldBack)
    }
  }

  private let state = Lock(State())
  private let highWater: Int

  init(highWater: Int) {
    self.highWater = highWater
  }

  /// From the loop: takes the bytes, or asks for a pause because enough wait already.
  func offer(_ bytes: UnsafeRawBufferPointer) -> Offer {
    state.withLock { state in
      if state.buffer.count >= highWater {
        state.senderIsHeldBack = true
        return .full
      }
      state.buffer.append(contentsOf: bytes)
      return .taken(someoneWaits: state.waiter != nil)
    }
  }

  /// From the loop, holding no lock: gives what there is to who waits.
  func wake() {
    let wakeUp = state.withLock { state -> (CheckedContinuation<Reading, Never>, Reading)? in
      guard let waiter = state.waiter, let reading = state.take() else { return nil }
      state.waiter = nil
      return (waiter, reading)
    }
    if let (waiter, reading) = wakeUp { waiter.resume(returning: reading) }
  }

  /// From the loop, holding no lock: what is there is still read, unless the transfer was cancelled.
  func end(with error: TransportError?) {
    state.withLock { state in
      if case .cancelled = error { state.buffer = Data() }
      state.end = error.map { .failure($0) } ?? .success(nil)
    }
    wake()
  }

  /// From the consumer: all that is there, or what comes next.
  func next() async -> Reading {
    await withCheckedContinuation { waiter in
      let (earlier, reading) = state.withLock { state -> (CheckedContinuation<Reading, Never>?, Reading?) in
        if let reading = state.take() { return (nil, reading) }
        defer { state.waiter = waiter }
        return (state.waiter, nil)
      }
      if let reading { waiter.resume(returning: reading) }
      earlier?.resume(returning: Reading(result: .failure(.invalidRequest(reason: "a body has one reader at a time"))))
    }
  }
}

/// What a ``ResponseBody`` reads. It holds the transport, whose connections would otherwise go with it.
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
    if reading.letsSenderGoOn { transport.loop.post(.resume(transfer)) }
    return try reading.result.get()
  }

  func cancel() {
    transport.loop.post(.cancel(transfer))
  }
}
#endif
