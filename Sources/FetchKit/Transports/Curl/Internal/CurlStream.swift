#if os(Linux)
internal import Foundation

/// Bytes of a body between the loop and the consumer, up to a high-water mark.
final class CurlStream: Sendable {
  typealias Waiter = CheckedContinuation<Result<Data?, TransportError>, Never>

  enum Offer {
    case taken(someoneWaits: Bool)
    case full
  }

  private struct State {
    var buffer = Data()
    var waiter: Waiter?
    var end: Result<Data?, TransportError>?
    var senderIsHeldBack = false
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
    let wakeUp = state.withLock { state -> (Waiter, Data)? in
      guard !state.buffer.isEmpty, let waiter = state.waiter else { return nil }
      defer { (state.buffer, state.waiter) = (Data(), nil) }
      return (waiter, state.buffer)
    }
    if let (waiter, chunk) = wakeUp { waiter.resume(returning: .success(chunk)) }
  }

  /// From the loop, holding no lock: what is there is still read, unless the transfer was cancelled.
  func end(with error: TransportError?) {
    wake()
    let waiter = state.withLock { state in
      if case .cancelled = error { state.buffer = Data() }
      state.end = error.map { .failure($0) } ?? .success(nil)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: error.map { .failure($0) } ?? .success(nil))
  }

  /// From the consumer: all that is there, or what comes next; and whether the sender can go on now.
  func next(letSenderGoOn: () -> Void) async -> Result<Data?, TransportError> {
    var wasHeldBack = false
    let result = await withCheckedContinuation { (waiter: Waiter) in
      var earlier: Waiter?
      let answer = state.withLock { state -> Result<Data?, TransportError>? in
        guard state.buffer.isEmpty else {
          defer { state.buffer = Data() }
          (wasHeldBack, state.senderIsHeldBack) = (state.senderIsHeldBack, false)
          return .success(state.buffer)
        }
        if let end = state.end { return end }
        (earlier, state.waiter) = (state.waiter, waiter)
        return nil
      }
      earlier?.resume(returning: .failure(.invalidRequest(reason: "a body has one reader at a time")))
      if let answer { waiter.resume(returning: answer) }
    }
    if wasHeldBack { letSenderGoOn() }
    return result
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
    let result = await withTaskCancellationHandler {
      await stream.next { transport.loop.post(.resume(transfer)) }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  func cancel() {
    transport.loop.post(.cancel(transfer))
  }
}
#endif
