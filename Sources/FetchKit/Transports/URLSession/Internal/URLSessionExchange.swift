internal import Dispatch
internal import Foundation

/// One request in flight through URLSession: performs the actions of ``ExchangeState``.
///
/// No action is performed under the lock; see ``BodyChannel`` for the reason.
final class URLSessionExchange: Sendable {
  private struct Guarded {
    var state: ExchangeState
    var timer: DeadlineTimer?
    var spooling: Task<Void, Never>?
    var timings = TransportTimings()
  }

  let request: TransportRequest
  /// The TLS settings for the request's host, and its key.
  let host: (key: String, tls: HostTLS)?
  private let result = Promise<Result<TransportResponse, TransportError>>()
  private let guarded: Lock<Guarded>
  private let session: URLSessionCore
  private let channel = Lock<BodyChannel?>(nil)
  private let start = ContinuousClock.now

  init(_ request: TransportRequest, _ session: URLSessionCore, host: (key: String, tls: HostTLS)? = nil) {
    self.request = request
    self.host = host
    self.session = session
    guarded = Lock(Guarded(state: ExchangeState(delivery: request.delivery, limits: request.limits)))
  }

  /// Whether URLSession should deliver nothing more until the reader has taken what waits for it.
  var isHeldBack: Bool { channel.withLock { $0 }?.isHeldBack ?? false }
  var hasEnded: Bool { guarded.withLock { $0.state.hasEnded } }

  /// Starts the exchange, and returns the result when it is over, or when the head of a stream has arrived. Call this
  /// once.
  func response() async -> Result<TransportResponse, TransportError> {
    perform { guarded in
      let actions = guarded.state.begin()
      if !guarded.state.hasEnded {
        guarded.timer = DeadlineTimer(total: request.timeouts.total) { [weak self] phase in
          self?.end(.timeout(phase))
        }
      }
      return actions
    }
    return await result.take()
  }

  func cancel() {
    perform { $0.state.cancel() }
  }

  /// Starts the idle timeout when URLSession begins to work on the task.
  func didStart() {
    guarded.withLock { $0.timer }?.watchSilence(request.timeouts.idle)
  }

  func didMove() {
    guarded.withLock { $0.timer }?.noteActivity()
  }

  func received(_ head: ResponseHead, announced: Int?) {
    didMove()
    perform { guarded in
      guarded.timings.firstByte = ContinuousClock.now - start
      do throws(TransportError) {
        try ContentLength.check(head.headers, ofStatus: head.status, to: request.method)
        return guarded.state.head(head, announced: announced)
      } catch {
        return guarded.state.end(error)
      }
    }
  }

  func received(_ data: Data) {
    didMove()
    perform { $0.state.bytes(data) }
  }

  /// Records that the task was suspended or resumed.
  func didPause(_ isPaused: Bool) {
    let timer = guarded.withLock { guarded in
      if isPaused { guarded.state.paused() }
      return guarded.timer
    }
    timer?.hold(isPaused)
  }

  /// Ends the exchange, for example because the peer must not be trusted.
  func end(_ error: TransportError) {
    perform { $0.state.end(error) }
  }

  func challenged() {
    guarded.withLock { $0.state.challenged() }
  }

  func completed(_ error: TransportError?, lastHead: ResponseHead?) {
    perform { $0.state.completed(error, lastHead: lastHead) }
  }

  private func perform(_ step: (inout Guarded) -> [ExchangeState.Action]) {
    for action in guarded.withLock(step) {
      switch action {
      case .start: startTask()
      case .deliver(let head, let data):
        result.set(.success(TransportResponse(head: timed(head), body: ResponseBody(data))))
      case .deliverHead(let head):
        // Bytes may still arrive after the task was suspended. A body with a limit never has more of them than it.
        let most = request.limits.body == .max ? session.mostWaitingBytes : .max
        let channel = BodyChannel(
          pauseAt: session.pauseAt, highWater: most, onFlow: { [self] in session.followReader(self) },
          onCancel: { [self] in cancel() })
        self.channel.withLock { $0 = channel }
        result.set(.success(TransportResponse(head: timed(head), body: ResponseBody(channel))))
      case .chunk(let data):
        guard let channel = channel.withLock({ $0 }), !channel.offer(data) else { continue }
        end(.tooLarge(.body, limit: session.mostWaitingBytes))
      case .fail(let error): result.set(.failure(error))
      case .finishBody(let error): channel.withLock { $0 }?.finish(error)
      case .stop: session.stop(self)
      case .release:
        let (timer, spooling) = guarded.withLock { guarded in
          defer { (guarded.timer, guarded.spooling) = (nil, nil) }
          return (guarded.timer, guarded.spooling)
        }
        timer?.stop()
        spooling?.cancel()
        // The channel's closures hold this exchange. Without this line, neither would be released.
        channel.withLock { $0 = nil }
      }
    }
  }

  private func timed(_ head: ResponseHead) -> ResponseHead {
    var head = head
    head.timings = guarded.withLock { $0.timings }
    head.timings.total = ContinuousClock.now - start
    return head
  }

  private func startTask() {
    guard case .stream(let length, let open) = request.body.content else { return session.start(self, spooled: nil) }
    let task = Task { [self] in
      do {
        let body = try await SpooledBody(reading: try open(), length: length ?? request.declaredLength)
        session.start(self, spooled: body)
      } catch {
        end(.requestBody(error))
      }
    }
    let isLate = guarded.withLock { guarded in
      guarded.spooling = task
      return guarded.state.hasEnded
    }
    if isLate { task.cancel() }
  }
}
