internal import Foundation

/// Sends one request to the transport when it is its turn.
struct TransportStage {
  let transport: any Transport
  let rateLimiter: RateLimiter?
  let limiter: ConcurrencyLimiter
  let streamLimiter: ConcurrencyLimiter
  let date: @Sendable () -> Date

  /// - Parameter request: The fetch's request, or a variant of it with conditions or other cache directives.
  nonisolated(nonsending) func reply(
    to request: HTTPRequest, _ exchange: inout Exchange
  ) async throws(TransportError) -> Reply {
    let host = exchange.origin
    let permit = try await turn(of: request, host, exchange)
    let timeouts = exchange.transportTimeouts
    if let total = timeouts.total, total <= .zero { throw .timeout(.total) }
    let sent = transportRequest(request, exchange, timeouts)
    let (delivery, limits) = (exchange.delivery, exchange.settings.limits)
    let start = exchange.now
    var known = TransportTimings()
    defer { exchange.attemptSpent += exchange.now - start }
    do throws(TransportError) {
      let response = try await send(sent, exchange.open)
      known = response.head.timings
      rateLimiter?.note(host, response.head, date: date())
      guard delivery == .whole else {
        return Reply(head: response.head, body: response.body, request: request, permit: permit)
      }
      defer { permit.release(multiplexes: response.head.version.map { $0.major >= 2 }) }
      let body = try await response.body.collect(upTo: limits.body(forStatus: response.head.status))
      return Reply(head: response.head, body: ResponseBody(body), request: request)
    } catch {
      known.total = exchange.now - start
      exchange.timings = known
      throw error
    }
  }

  nonisolated(nonsending) private func send(
    _ request: TransportRequest, _ open: OpenFetch?
  ) async throws(TransportError) -> TransportResponse {
    guard let open else { return try await transport.send(request) }
    let response: TransportResponse
    if transport is any InterruptibleTransport {
      var request = request
      request.wait = open.wait
      response = try await transport.send(request)
    } else {
      let task = Task { [transport] in
        do throws(TransportError) { return Result<_, TransportError>.success(try await transport.send(request)) } catch
        {
          return .failure(error)
        }
      }
      if !open.wait.ends(by: { task.cancel() }) { task.cancel() }
      response = try await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }.get()
    }
    // Weak, because the body's last reader ends the transfer.
    if case .source(let handle) = response.body.storage, !open.wait.ends(by: { [weak handle] in handle?.cancel() }) {
      throw .cancelled
    }
    return response
  }

  nonisolated(nonsending) private func turn(
    of request: HTTPRequest, _ host: String, _ exchange: Exchange
  ) async throws(TransportError) -> Permit {
    do throws(ConcurrencyLimiter.WaitError) {
      try await rateLimiter?.admit(host, within: exchange.queueTimeout, exchange.open)
      let limiter = exchange.delivery == .whole ? limiter : streamLimiter
      return try await limiter.admit(host, request.options.priority, within: exchange.queueTimeout, exchange.open)
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .timeout: throw .timeout(.total)
      }
    }
  }

  private func transportRequest(_ request: HTTPRequest, _ exchange: Exchange, _ timeouts: Timeouts) -> TransportRequest
  {
    var sent = TransportRequest(
      request.method, request.url, headers: request.headers, body: request.body, delivery: exchange.delivery,
      timeouts: timeouts, limits: exchange.settings.limits)
    // A range of an encoded body cannot be decoded (Fetch standard, HTTP-network-or-cache fetch).
    if sent.headers["Range"] != nil { sent.headers["Accept-Encoding"] = "identity" }
    sent.allowsResend = request.isRepeatable && !request.isOneShot
    sent.uploadProgress = request.options.uploadProgress
    return sent
  }
}

extension Exchange {
  /// How long this fetch waits for its turn. A coalesced fetch leaves the shared run at its own timeout; a timeout here
  /// would apply to all of them.
  fileprivate var queueTimeout: Duration? { sharedRemaining == nil ? remaining : nil }

  /// The timeouts for the transport, with the time left as the total timeout.
  fileprivate var transportTimeouts: Timeouts {
    var timeouts = settings.timeouts
    timeouts.total = [queueTimeout, settings.retry.attemptTimeout.map { $0 - attemptSpent }].compactMap { $0 }.min()
    return timeouts
  }
}
