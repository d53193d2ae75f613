/// Joins identical requests in progress, if the client is configured to.
struct CoalescingStage {
  /// The outcome that coalesced fetches share.
  struct Outcome {
    var result: Result<Reply, FetchError>
    var attempts: [Attempt]
    var staleFallback: StaleFallback?
  }

  typealias WaitError = Coalescer<FetchKey, Outcome>.WaitError

  let coalescer: Coalescer<FetchKey, Outcome>?
  let interceptors: InterceptorChain
  let cache: CacheStage
  let next: RetryStage

  nonisolated(nonsending) func reply(to exchange: inout Exchange) async throws(FetchError) -> Reply {
    guard let coalescer, exchange.delivery == .whole, exchange.original.method.isSafe else {
      return try await next.reply(to: &exchange)
    }
    try await interceptors.adapt(&exchange)
    if let reply = await cache.storedReply(to: exchange) { return reply }
    guard let key = FetchKey(exchange) else { return try await next.reply(to: &exchange) }
    let outcome: Outcome
    do throws(WaitError) {
      var run = exchange
      // The run is cancelled when all fetches that share it are.
      run.open = nil
      outcome = try await coalescer.outcome(of: key, until: exchange.end, exchange.open) { [run] remaining in
        var shared = run
        shared.sharedRemaining = remaining
        return await end(&shared)
      }
    } catch {
      switch error {
      case .cancelled: throw .cancelled(exchange.context)
      case .timeout: throw .timeout(.total, exchange.context)
      }
    }
    exchange.attempts = outcome.attempts
    exchange.staleFallback = outcome.staleFallback
    return try outcome.result.get()
  }

  nonisolated(nonsending) private func end(_ exchange: inout Exchange) async -> Outcome {
    do throws(FetchError) {
      return Outcome(result: .success(try await next.reply(to: &exchange)), attempts: exchange.attempts)
    } catch {
      return Outcome(
        result: .failure(error), attempts: exchange.attempts, staleFallback: exchange.staleFallback)
    }
  }
}
