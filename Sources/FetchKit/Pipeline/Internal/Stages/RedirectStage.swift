/// Makes one attempt: sends the request and follows the redirects.
struct RedirectStage {
  let next: CacheStage

  nonisolated(nonsending) func reply(to exchange: inout Exchange) async throws(FetchError) -> Reply {
    exchange.beginAttempt()
    exchange.note(.sending(attempt: exchange.attempts.count + 1))
    let start = exchange.now
    var follower = RedirectFollower(exchange.redirectPolicy, redactor: exchange.redactor)
    while true {
      var reply: Reply
      do throws(TransportError) {
        reply = try await next.reply(to: &exchange)
      } catch {
        exchange.end(.failed(error), since: start)
        throw FetchError(error, exchange.context)
      }
      reply.head.headers.hiddenNames = exchange.redactor.headers
      exchange.note(.received(status: reply.head.status, bytes: reply.body.data?.count))
      switch follower.decide(after: reply.head, to: exchange.request) {
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

extension Exchange {
  fileprivate func note(_ kind: FetchEvent.Kind) { reporter?.note(kind, request) }

  fileprivate mutating func end(_ outcome: Attempt.Outcome, since start: Duration) {
    attempts.append(Attempt(outcome: outcome, duration: now - start))
  }
}
