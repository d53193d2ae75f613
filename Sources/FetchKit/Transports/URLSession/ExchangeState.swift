internal import Foundation

/// Decides how one exchange over URLSession ends: the first of response, failure, deadline and cancellation wins, and
/// whatever comes afterwards (Linux delivers callbacks after a cancel) changes nothing.
///
/// A pure state machine: methods say what to do, in order, and do nothing themselves.
struct ExchangeState {
  enum Action {
    /// Hand the task to URLSession.
    case start
    /// Resume the caller with the complete response.
    case deliver(ResponseHead, Data)
    /// Resume the caller with a response whose body follows.
    case deliverHead(ResponseHead)
    /// Hand that piece to the reader of the body.
    case chunk(Data)
    /// Resume the caller with an error.
    case fail(TransportError)
    /// End the body that is being read.
    case finishBody(TransportError?)
    /// Cancel URLSession's task, if it has one and it still runs.
    case stop
    /// No deadline is needed any more.
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

  /// - Parameter announced: The body's length by `Content-Length`, nil where unknown or compressed.
  mutating func head(_ head: ResponseHead, announced: Int?) -> [Action] {
    guard case .awaitingHead = phase else { return [] }
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

  /// More waits for the reader than may.
  mutating func overflowed(_ limit: Int) -> [Action] {
    end(.tooLarge(.body, limit: limit))
  }

  /// A head that must not be believed.
  mutating func refused(_ error: TransportError) -> [Action] {
    end(error)
  }

  /// URLSession asked for credentials; the exchange will end as cancelled, and is the 401 it answered.
  mutating func challenged() {
    wasChallenged = true
  }

  /// URLSession ended the task; `lastHead` is what it knows of the response then, for the cases in which it never
  /// announced one (a refused redirect, a challenge).
  mutating func completed(_ error: TransportError?, lastHead: ResponseHead?) -> [Action] {
    if case .awaitingHead = phase, error == nil || wasChallenged, let lastHead {
      let actions = head(lastHead, announced: nil)
      guard case .receiving = phase else { return actions }
      return actions + complete(nil)
    }
    return complete(wasChallenged ? nil : error)
  }

  mutating func deadline(_ which: TimeoutPhase) -> [Action] {
    end(.timeout(which))
  }

  mutating func cancel() -> [Action] {
    if case .new = phase {
      phase = .cancelledEarly
      return []
    }
    return end(.cancelled)
  }

  /// The request's body could not be read.
  mutating func bodyFailed(_ cause: any Error) -> [Action] {
    end(.requestBody(cause))
  }

  private mutating func complete(_ error: TransportError?) -> [Action] {
    guard case .receiving(let head) = phase else {
      guard case .awaitingHead = phase else { return [] }
      phase = .ended
      return [.fail(error ?? .malformedResponse(reason: "the connection ended without a response")), .release]
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

  private mutating func end(_ error: TransportError) -> [Action] {
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
