internal import Foundation

/// Makes attempts until one succeeds or no further attempt is allowed. Interceptors adapt the request of each but the
/// first, which the stage above has had adapted. If the last one fails, a stored response may take its place.
struct RetryStage {
  private static let mostAttempts = 10

  let interceptors: InterceptorChain
  let budgets: RetryBudgets
  let date: @Sendable () -> Date
  let random: @Sendable () -> Double
  let cache: CacheStage
  let next: RedirectStage

  /// - Parameter first: The request of the first attempt.
  nonisolated(nonsending) func reply(
    to first: AdaptedRequest, _ exchange: inout Exchange
  ) async throws(FetchError) -> Reply {
    let policy = exchange.settings.retry
    var retry = RetryState(
      policy, isRepeatable: exchange.original.isRepeatable, isReplayable: !exchange.original.isOneShot)
    var interceptorRetries = Array(repeating: 0, count: interceptors.interceptors.count)
    // The budget belongs to the host in the caller's request, even if interceptors change the host.
    let host = policy.maxAttempts > 1 ? exchange.original.url.origin : ""
    if policy.maxAttempts > 1, let budget = policy.budget {
      budgets.noteRequest(to: host, budget, now: exchange.now)
    }
    var adapted = first
    var last: AttemptError?
    do throws(FetchError) {
      while true {
        let request = adapted.request
        let failure: AttemptError
        do throws(AttemptError) {
          return try await next.reply(to: request, &exchange)
        } catch {
          failure = error
        }
        last = failure
        guard !exchange.isCancelled else { throw .cancelled(exchange.context(of: request)) }
        // The interceptors may have changed the method or the body.
        let isOneShot = exchange.original.isOneShot || request.isOneShot
        let delay: Duration
        switch try await interceptors.decision(after: failure, of: adapted, &interceptorRetries, exchange) {
        case .giveUp: throw failure.error
        case .retry(let asked):
          guard !isOneShot, exchange.attempts.count < Self.mostAttempts else { throw failure.error }
          if let remaining = exchange.remaining, asked >= remaining {
            throw .timeout(.total, exchange.context(of: request))
          }
          delay = asked
        case .asConfigured where failure.isStored: throw failure.error
        case .asConfigured:
          (retry.isRepeatable, retry.isReplayable) = (request.isRepeatable, !isOneShot)
          let decision = retry.next(
            after: RetryState.Failure(
              failure.error, policy: policy, now: date(), wasAnswered: !failure.follower.redirects.isEmpty),
            random: random(), remaining: exchange.remaining
          ) { policy.budget.map { budgets.takeRetry(to: host, $0, now: exchange.now) } ?? true }
          guard let decision else { throw failure.error }
          delay = decision
        }
        exchange.reporter?.note(.retrying(failure.error, after: delay), request)
        try await exchange.wait(delay)
        adapted = try await interceptors.adapted(exchange, after: adapted.credentials)
      }
    } catch {
      guard let last, var reply = await cache.staleReply(to: last.request, after: error, exchange) else { throw error }
      reply.redirects = last.follower.redirects
      return reply
    }
  }
}

extension Exchange {
  nonisolated(nonsending) fileprivate func wait(_ delay: Duration) async throws(FetchError) {
    guard delay > .zero else { return }
    do {
      try await open.run { [time] in try await time.sleep(delay) }
    } catch {
      throw .cancelled(context(of: original))
    }
  }
}
