/// Joins identical requests in progress, if the client is configured to.
struct CoalescingStage {
  /// The outcome that coalesced fetches share.
  struct Outcome {
    var result: Result<Reply, FetchError>
    var attempts: [Attempt]
  }

  let coalescer: Coalescer<FetchKey, Outcome>?
  let cache: CacheStage
  let next: RetryStage

  nonisolated(nonsending) func reply(to exchange: inout Exchange) async throws(FetchError) -> Reply {
    // Before the request is compared with others, because credentials make it a different one.
    let adapted = try await next.interceptors.adapted(exchange)
    let request = adapted.request
    guard let coalescer, exchange.delivery == .whole, exchange.original.method.isSafe else {
      return try await next.reply(to: adapted, &exchange)
    }
    if let reply = await cache.storedReply(to: request, exchange) { return reply }
    guard let key = FetchKey(request, exchange.settings) else { return try await next.reply(to: adapted, &exchange) }
    let outcome: Outcome
    do throws(WaitError) {
      var run = exchange
      // The run is cancelled when all fetches that share it are.
      run.open = nil
      outcome = try await coalescer.outcome(of: key, until: exchange.ownEnd, exchange.open) { [run] remaining in
        var run = run
        run.deadline = .shared(remaining)
        let result: Result<Reply, FetchError>
        do throws(FetchError) {
          result = .success(try await next.reply(to: adapted, &run))
        } catch {
          result = .failure(error)
        }
        return Outcome(result: result, attempts: run.attempts)
      }
    } catch {
      let context = exchange.context(of: request)
      guard error == .timeout else { throw .cancelled(context) }
      // The run, which goes on for the other callers, would fall back at its own end.
      let timeout = FetchError.timeout(.total, context)
      guard let reply = await cache.staleReply(to: request, after: timeout, exchange) else { throw timeout }
      return reply
    }
    exchange.attempts = outcome.attempts
    return try outcome.result.get()
  }
}
