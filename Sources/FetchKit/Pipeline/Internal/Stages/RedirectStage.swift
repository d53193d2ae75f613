/// Makes one attempt: sends the request, follows the redirects, and checks the status code.
struct RedirectStage {
  let handler: FetchClient.Configuration.RedirectHandler?
  let next: CacheStage

  nonisolated(nonsending) func reply(
    to first: HTTPRequest, _ exchange: inout Exchange
  ) async throws(AttemptError) -> Reply {
    var request = first
    exchange.reporter?.note(.sending(attempt: exchange.attempts.count + 1), request)
    let start = exchange.now
    var timeout = exchange.settings.retry.attemptTimeout
    var follower = RedirectFollower(
      request.options.redirects ?? exchange.settings.redirects, redactor: exchange.redactor)
    while true {
      var reply: Reply
      var decision: RedirectFollower.Decision
      do throws(SendError) {
        reply = try await next.reply(to: request, within: timeout, exchange)
        timeout = timeout.map { $0 - reply.transportTime }
        exchange.reporter?.note(
          .received(status: reply.head.status, bytes: reply.body.data?.count), request, reply.head.timings)
        decision = follower.decide(after: reply.head, to: request)
        if case .follow(let target) = decision {
          decision = try await follow(target, after: reply.head, to: request, &follower, exchange)
        }
      } catch {
        exchange.end(.failed(error.error), since: start, error.timings, follower)
        let failure = FetchError(error.error, exchange.context(of: request))
        throw AttemptError(error: failure, request: request, follower: follower)
      }
      switch decision {
      case .deliver:
        exchange.end(.status(reply.head.status), since: start, reply.head.timings, follower)
        reply.redirects = follower.redirects
        if exchange.settings.acceptableStatusCodes.contains(reply.head.status) { return reply }
        let failure = FetchError.status(await reply.statusFailure(), exchange.context(of: request))
        throw AttemptError(
          error: failure, request: request, follower: follower, isStored: reply.source != .network)
      case .follow(let target):
        exchange.reporter?.note(
          .redirected(status: reply.head.status, to: exchange.redactor.text(of: target.url)), request)
        request = target
      case .fail(let failure):
        exchange.end(.refusedRedirect(failure), since: start, reply.head.timings, follower)
        throw AttemptError(
          error: .redirect(failure, exchange.context(of: request)), request: request, follower: follower)
      }
    }
  }

  /// Asks the handler, if there is one.
  nonisolated(nonsending) private func follow(
    _ target: HTTPRequest, after head: ResponseHead, to request: HTTPRequest, _ follower: inout RedirectFollower,
    _ exchange: Exchange
  ) async throws(SendError) -> RedirectFollower.Decision {
    guard let handler else { return follower.follow(target, after: head.status, to: request) }
    let redirect = Redirect(status: head.status, from: request.url, to: target.url, method: target.method)
    do {
      let chosen = try await exchange.withRemainingTime { await handler(redirect, target) }
      return chosen.map { follower.follow($0, after: head.status, to: request) } ?? .deliver
    } catch {
      throw SendError(error: error is TimeoutError ? .timeout(.total) : .cancelled, timings: head.timings)
    }
  }
}

extension Exchange {
  fileprivate mutating func end(
    _ outcome: Attempt.Outcome, since start: Duration, _ timings: TransportTimings?, _ follower: RedirectFollower
  ) {
    var attempt = Attempt(outcome: outcome, duration: now - start, timings: timings ?? TransportTimings())
    attempt.isDoneBeforeRedirect = follower.redirects.contains { $0.method != original.method }
    attempts.append(attempt)
  }
}
