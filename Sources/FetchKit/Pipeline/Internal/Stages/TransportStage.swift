internal import Foundation

/// Sends one request to the transport when it is its turn.
struct TransportStage {
  let transport: any Transport
  let rateLimiter: RateLimiter?
  let limiter: ConcurrencyLimiter
  let streamLimiter: ConcurrencyLimiter
  let socketLimiter: ConcurrencyLimiter
  let date: @Sendable () -> Date

  /// - Parameter timeout: The time that the transport may take. Waiting for a turn does not count.
  nonisolated(nonsending) func reply(
    to request: HTTPRequest, within timeout: Duration?, _ exchange: Exchange
  ) async throws(SendError) -> Reply {
    let host = request.url.origin
    let permit = try await turn(of: request, to: host, exchange)
    var timeouts = exchange.settings.timeouts
    timeouts.total = [exchange.queueTimeout, timeout].compactMap { $0 }.min()
    if let total = timeouts.total, total <= .zero { throw SendError(error: .timeout(.total)) }
    let sent = transportRequest(request, exchange, timeouts)
    let start = exchange.now
    var known = TransportTimings()
    do throws(TransportError) {
      if let options = exchange.socket {
        let response = try await openSocket(sent, options, exchange.open)
        rateLimiter?.note(host, response.head, date: date())
        var reply = Reply(response.head, ResponseBody(response.body), to: request)
        (reply.socket, reply.permit) = (response.connection, permit)
        reply.transportTime = exchange.now - start
        return reply
      }
      let response = try await send(sent, exchange.open)
      known = response.head.timings
      rateLimiter?.note(host, response.head, date: date())
      var reply = Reply(response.head, response.body, to: request)
      if exchange.delivery == .whole {
        defer { permit.release(multiplexes: response.head.version.map { $0.major >= 2 }) }
        let most = exchange.settings.limits.body(forStatus: response.head.status)
        reply.body = ResponseBody(try await response.body.collect(upTo: most))
      } else {
        reply.permit = permit
      }
      reply.transportTime = exchange.now - start
      return reply
    } catch {
      known.total = exchange.now - start
      throw SendError(error: error, timings: known)
    }
  }

  nonisolated(nonsending) private func send(
    _ request: TransportRequest, _ open: OpenFetch?
  ) async throws(TransportError) -> TransportResponse {
    guard let wait = open?.wait else { return try await transport.send(request) }
    let response: TransportResponse
    if transport is any InterruptibleTransport {
      var request = request
      request.wait = wait
      response = try await transport.send(request)
    } else {
      do {
        response = try await open.run { [transport] in try await transport.send(request) }
      } catch {
        throw error as? TransportError ?? .cancelled
      }
    }
    // Weak, because the body's last reader ends the transfer.
    if case .source(let handle) = response.body.storage, !wait.ends(by: { [weak handle] in handle?.cancel() }) {
      throw .cancelled
    }
    return response
  }

  nonisolated(nonsending) private func openSocket(
    _ request: TransportRequest, _ options: WebSocketOptions, _ open: OpenFetch?
  ) async throws(TransportError) -> SocketResponse {
    guard let transport = transport as? any SocketTransport else {
      throw .invalidRequest(reason: "the transport opens no WebSockets")
    }
    do {
      return try await open.run { try await transport.openSocket(request, options) }
    } catch {
      throw error as? TransportError ?? .cancelled
    }
  }

  nonisolated(nonsending) private func turn(
    of request: HTTPRequest, to host: String, _ exchange: Exchange
  ) async throws(SendError) -> Permit {
    do throws(WaitError) {
      try await rateLimiter?.admit(host, within: exchange.queueTimeout, exchange.open)
      let limiter =
        exchange.socket != nil ? socketLimiter : exchange.delivery == .whole ? limiter : streamLimiter
      return try await limiter.admit(host, request.options.priority, within: exchange.queueTimeout, exchange.open)
    } catch {
      throw SendError(error: error == .timeout ? .timeout(.total) : .cancelled)
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
  fileprivate var queueTimeout: Duration? { ownEnd.map { $0 - now } }
}
