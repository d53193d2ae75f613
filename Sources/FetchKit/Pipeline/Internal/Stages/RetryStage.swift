internal import Foundation

/// Makes attempts until one succeeds or no further attempt is allowed.
struct RetryStage {
  private static let mostAttempts = 10

  let interceptors: InterceptorChain
  let budgets: RetryBudgets
  let date: @Sendable () -> Date
  let random: @Sendable () -> Double
  let next: RedirectStage

  /// What an attempt failed with.
  private struct Failure: Error {
    var error: FetchError
    /// The delay that the server requested.
    var retryAfter: Duration?
    var isStored = false
  }

  nonisolated(nonsending) func reply(to exchange: inout Exchange) async throws(FetchError) -> Reply {
    let policy = exchange.settings.retry
    var retry = RetryState(
      policy, isRepeatable: exchange.original.isRepeatable, isReplayable: !exchange.original.isOneShot)
    var interceptorRetries = Array(repeating: 0, count: interceptors.interceptors.count)
    // The budget belongs to the host in the caller's request, even if interceptors change the host.
    let host = policy.maxAttempts > 1 ? exchange.original.url.origin : ""
    if policy.maxAttempts > 1, let budget = policy.budget {
      budgets.noteRequest(to: host, budget, now: exchange.now)
    }
    while true {
      try await interceptors.adapt(&exchange)
      let adapted = exchange.request
      // The interceptors may have changed the method or the body.
      let isOneShot = exchange.original.isOneShot || adapted.isOneShot
      (retry.isRepeatable, retry.isReplayable) = (adapted.isRepeatable, !isOneShot)
      let failure: Failure
      switch await attempt(&exchange) {
      case .success(let reply): return reply
      case .failure(let error): failure = error
      }
      guard !exchange.isCancelled else { throw .cancelled(exchange.context(of: adapted)) }
      let delay: Duration
      let sent = credentials(sentWith: adapted, exchange)
      switch try await interceptors.decision(after: failure.error, of: sent, &interceptorRetries, exchange) {
      case .giveUp: throw failure.error
      case .retry(let asked):
        guard !isOneShot, exchange.attempts.count < Self.mostAttempts else { throw failure.error }
        if let remaining = exchange.remaining, asked >= remaining {
          throw .timeout(.total, exchange.context(of: adapted))
        }
        delay = asked
      case .asConfigured where failure.isStored: throw failure.error
      case .asConfigured:
        let decision = retry.next(
          after: RetryState.Failure(
            failure.error, policy: policy, retryAfter: failure.retryAfter, wasAnswered: exchange.isRedirected),
          random: random(), remaining: exchange.remaining
        ) { policy.budget.map { budgets.takeRetry(to: host, $0, now: exchange.now) } ?? true }
        guard case .retry(let after) = decision else { throw failure.error }
        delay = after
      }
      exchange.reporter?.note(.retrying(failure.error, after: delay), adapted)
      try await exchange.wait(delay)
    }
  }

  nonisolated(nonsending) private func attempt(_ exchange: inout Exchange) async -> Result<Reply, Failure> {
    do throws(FetchError) {
      let reply = try await next.reply(to: &exchange)
      if exchange.settings.acceptableStatusCodes.contains(reply.head.status) { return .success(reply) }
      let retryAfter = RetryAfter.delay(after: reply.head.status, reply.head.headers, now: date())
      let error = FetchError.status(await reply.statusFailure(), exchange.context(of: reply.request))
      return .failure(Failure(error: error, retryAfter: retryAfter, isStored: reply.source != .network))
    } catch {
      return .failure(Failure(error: error))
    }
  }

  /// Returns the request with the credentials that the failure concerns: those sent to the target of the last redirect.
  private func credentials(sentWith adapted: HTTPRequest, _ exchange: Exchange) -> HTTPRequest {
    var sent = adapted
    // A POST that was answered with a redirect has been processed, so renewing the credentials must not send it again.
    let mayHaveActed = !adapted.isRepeatable && exchange.request.method != adapted.method
    sent.marks = mayHaveActed ? [:] : exchange.request.marks
    return sent
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
