extension RequestExecution {
  /// The outcome that coalesced fetches share.
  struct SharedOutcome {
    var result: Result<Reply, FetchError>
    var attempts: [Attempt]
    var standIn: StaleFallback?
  }

  /// Makes the attempts, or joins an identical request in progress.
  nonisolated(nonsending) mutating func performShared(
    _ coalescer: Coalescer<FetchKey, SharedOutcome>
  ) async throws(FetchError) -> Reply {
    guard delivery == .whole, request.method.isSafe else { return try await performAttempts() }
    let adapted = try await adapt()
    if let reply = await storedReply(to: adapted) { return reply }
    guard let key = FetchKey(adapted, pipeline.configuration) else { return try await performAttempts(adapted) }
    let outcome: SharedOutcome
    do throws(Coalescer<FetchKey, SharedOutcome>.Departure) {
      outcome = try await coalescer.outcome(of: key, until: timeouts.total.map { begun + $0 }) { [self] remaining in
        var run = self
        run.sharedRemaining = remaining
        do throws(FetchError) {
          let reply = try await run.performAttempts(adapted)
          return SharedOutcome(result: .success(reply), attempts: run.attempts)
        } catch {
          return SharedOutcome(result: .failure(error), attempts: run.attempts, standIn: run.standIn)
        }
      }
    } catch {
      switch error {
      case .cancelled: throw .cancelled(context(of: adapted))
      case .outOfTime: throw .timeout(.total, context(of: adapted))
      }
    }
    attempts = outcome.attempts
    standIn = outcome.standIn
    return try outcome.result.get()
  }
}
