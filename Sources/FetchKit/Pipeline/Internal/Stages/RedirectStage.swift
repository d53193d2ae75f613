/// Makes one attempt: sends the request and follows the redirects.
struct RedirectStage {
  let handler: FetchClient.Configuration.RedirectHandler?
  let next: CacheStage

  nonisolated(nonsending) func reply(to exchange: inout Exchange) async throws(FetchError) -> Reply {
    exchange.beginAttempt()
    exchange.note(.sending(attempt: exchange.attempts.count + 1))
    let start = exchange.now
    var follower = RedirectFollower(exchange.redirectPolicy, redactor: exchange.redactor)
    while true {
      var reply: Reply
      var decision: RedirectFollower.Decision
      do throws(TransportError) {
        reply = try await next.reply(to: &exchange)
        exchange.timings = reply.head.timings
        reply.head.headers.hiddenNames = exchange.redactor.headers
        exchange.note(.received(status: reply.head.status, bytes: reply.body.data?.count), timings: exchange.timings)
        decision = follower.decide(after: reply.head, to: exchange.request)
        if case .follow(let next) = decision {
          decision = try await follow(next, after: reply.head.status, &follower, exchange)
        }
      } catch {
        exchange.end(.failed(error), since: start)
        throw FetchError(error, exchange.context)
      }
      switch decision {
      case .deliver:
        exchange.end(.status(reply.head.status), since: start)
        reply.redirects = follower.redirects
        return reply
      case .follow(let target):
        exchange.note(.redirected(status: reply.head.status, to: exchange.redactor.text(of: target.url)))
        exchange.redirect(to: target)
      case .fail(let failure):
        exchange.end(.refusedRedirect(failure), since: start)
        throw .redirect(failure, exchange.context)
      }
    }
  }
}

extension RedirectStage {
  /// Asks the handler, if there is one.
  nonisolated(nonsending) private func follow(
    _ next: HTTPRequest, after status: Int, _ follower: inout RedirectFollower, _ exchange: Exchange
  ) async throws(TransportError) -> RedirectFollower.Decision {
    let request = exchange.request
    guard let handler else { return follower.follow(next, after: status, to: request) }
    let redirect = Redirect(status: status, from: request.url, to: next.url, method: next.method)
    do {
      let chosen = try await exchange.withRemainingTime { await handler(redirect, next) }
      return chosen.map { follower.follow($0, after: status, to: request) } ?? .deliver
    } catch {
      throw error is TimeoutError ? .timeout(.total) : .cancelled
    }
  }
}

extension Exchange {
  fileprivate func note(_ kind: FetchEvent.Kind, timings: TransportTimings? = nil) {
    reporter?.note(kind, request, timings)
  }

  fileprivate mutating func end(_ outcome: Attempt.Outcome, since start: Duration) {
    attempts.append(Attempt(outcome: outcome, duration: now - start, timings: timings ?? TransportTimings()))
  }
}
