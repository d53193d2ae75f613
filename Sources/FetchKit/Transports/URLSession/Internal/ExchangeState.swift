internal import Foundation

/// Decides how an exchange over URLSession ends. The first of response, failure, timeout and cancellation wins. Later
/// events change nothing, because Linux delivers callbacks after a cancel.
///
/// A pure state machine: its methods return the actions to perform in order, and have no side effects.
struct ExchangeState {
  enum Action {
    /// Pass the task to URLSession.
    case start
    /// Resume the caller with the complete response.
    case deliver(ResponseHead, Data)
    /// Resume the caller with a response whose body follows.
    case deliverHead(ResponseHead)
    /// Pass the piece to the reader of the body.
    case chunk(Data)
    /// Resume the caller with an error.
    case fail(TransportError)
    /// End the body that is being read.
    case finishBody(TransportError?)
    /// Cancel URLSession's task if there is one and it is still running.
    case stop
    /// Stop the timers; no timeout is needed anymore.
    case release
  }

  private enum Phase {
    case new
    case cancelledEarly
    case awaitingHead
    case receiving(ResponseHead)
    case ended
  }

  private let delivery: TransportRequest.Delivery
  private let limits: ResponseLimits
  private var phase = Phase.new
  private var collected = Data()
  private var received = 0
  private var bodyLimit = 0
  private var wasPaused = false
  private(set) var wasChallenged = false

  init(delivery: TransportRequest.Delivery, limits: ResponseLimits) {
    self.delivery = delivery
    self.limits = limits
  }

  var hasEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  mutating func begin() -> [Action] {
    switch phase {
    case .new:
      phase = .awaitingHead
      return [.start]
    case .cancelledEarly:
      phase = .ended
      return [.fail(.cancelled), .release]
    default: return []
    }
  }

  /// - Parameter announced: The body's length from `Content-Length`; nil if unknown or compressed.
  mutating func head(_ head: ResponseHead, announced: Int?) -> [Action] {
    guard case .awaitingHead = phase else {
      guard wasPaused else { return [] }
      // The bytes that follow are those of another response, from its beginning.
      return end(.connection(.lost, detail: "URLSession sent the request again after a pause"))
    }
    let headerBytes = head.headers.reduce(16) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    guard headerBytes <= limits.headers else { return end(.tooLarge(.headers, limit: limits.headers)) }
    bodyLimit = limits.body(forStatus: head.status)
    if let announced, announced > bodyLimit { return end(.tooLarge(.body, limit: bodyLimit)) }
    phase = .receiving(head)
    return delivery == .stream ? [.deliverHead(head)] : []
  }

  mutating func bytes(_ data: Data) -> [Action] {
    guard case .receiving = phase else { return [] }
    received += data.count
    guard received <= bodyLimit else { return end(.tooLarge(.body, limit: bodyLimit)) }
    if delivery == .stream { return [.chunk(data)] }
    collected.append(data)
    return []
  }

  /// Records that the task was suspended, because the reader of the body is slow.
  mutating func paused() {
    wasPaused = true
  }

  /// Records that URLSession asked for credentials. The exchange will end as cancelled, and its response is the 401.
  mutating func challenged() {
    wasChallenged = true
  }

  /// Handles the end of the task. `lastHead` is the response as URLSession knows it then, for cases in which it never
  /// announced one: a rejected redirect or a challenge.
  mutating func completed(_ error: TransportError?, lastHead: ResponseHead?) -> [Action] {
    if case .awaitingHead = phase, error == nil || wasChallenged, let lastHead {
      let actions = head(lastHead, announced: nil)
      guard case .receiving = phase else { return actions }
      return actions + complete(nil)
    }
    return complete(wasChallenged ? nil : error)
  }

  mutating func cancel() -> [Action] {
    if case .new = phase {
      phase = .cancelledEarly
      return []
    }
    return end(.cancelled)
  }

  private mutating func complete(_ error: TransportError?) -> [Action] {
    guard case .receiving(let head) = phase else {
      guard case .awaitingHead = phase else { return [] }
      phase = .ended
      return [.fail(error ?? .malformedResponse(reason: "the connection closed without a response")), .release]
    }
    phase = .ended
    switch (delivery, error) {
    case (.stream, _): return [.finishBody(error), .release]
    case (.whole, let error?): return [.fail(error), .release]
    case (.whole, nil):
      defer { collected = Data() }
      return [.deliver(head, collected), .release]
    }
  }

  /// Ends the exchange: a timeout has expired, a part is too large or unreadable, or the peer must not be trusted.
  mutating func end(_ error: TransportError) -> [Action] {
    defer { collected = Data() }
    switch phase {
    case .new, .cancelledEarly, .ended: return []
    case .awaitingHead:
      phase = .ended
      return [.fail(error), .stop, .release]
    case .receiving:
      phase = .ended
      return [delivery == .stream ? .finishBody(error) : .fail(error), .stop, .release]
    }
  }
}
