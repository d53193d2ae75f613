/// Adapts a fetch's requests and decides how to handle its failures, by calling each of the client's interceptors in
/// turn.
struct InterceptorChain {
  let interceptors: [any Interceptor]

  /// Adapts the fetch's request for the next attempt, unless that has been done.
  nonisolated(nonsending) func adapt(_ exchange: inout Exchange) async throws(FetchError) {
    guard !exchange.isAdapted else { return }
    var adapted = exchange.original
    for interceptor in interceptors {
      let hidden = adapted.headers.hiddenNames
      adapted.marks.merge(exchange.marks) { new, _ in new }
      do {
        adapted = try await exchange.withRemainingTime { [adapted] in try await interceptor.adapt(adapted) }
        // Preserves the names of the fields with credentials if an interceptor replaces the fields.
        adapted.headers.hiddenNames.formUnion(hidden)
      } catch {
        throw failure(error, exchange)
      }
    }
    exchange.adapt(to: adapted)
  }

  /// Returns the first decision that is not `asConfigured`.
  ///
  /// - Parameter retries: The number of times each interceptor has retried the request.
  nonisolated(nonsending) func decision(
    after error: FetchError, of sent: HTTPRequest, _ retries: inout [Int], _ exchange: Exchange
  ) async throws(FetchError) -> RetryDecision {
    let attempt = exchange.attempts.count
    for (index, interceptor) in interceptors.enumerated() {
      var sent = sent
      sent.interceptorRetries = retries[index]
      let decision: RetryDecision
      do {
        decision = try await exchange.withRemainingTime { [sent] in
          try await interceptor.decide(after: error, of: sent, attempt: attempt)
        }
      } catch {
        throw failure(error, exchange)
      }
      guard decision != .asConfigured else { continue }
      retries[index] += 1
      return decision
    }
    return .asConfigured
  }

  private func failure(_ error: any Error, _ exchange: Exchange) -> FetchError {
    let context = exchange.context(of: exchange.original)
    return switch error {
    case is TimeoutError: .timeout(.total, context)
    case is CancellationError where exchange.isCancelled: .cancelled(context)
    case let failure as AuthenticationFailure: .authentication(failure.cause, context)
    default: .interceptor(error, context)
    }
  }
}

extension Exchange {
  /// Runs the code of an interceptor or handler within the time left, and until the fetch is cancelled.
  nonisolated(nonsending) func withRemainingTime<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await open.run { [remaining, time] in try await withTimeout(remaining, time, body) }
  }
}
