/// Adapts a fetch's requests and decides how to handle its failures, by calling each of the client's interceptors in
/// turn.
struct InterceptorChain {
  let interceptors: [any Interceptor]

  /// Returns the request of the next attempt.
  ///
  /// - Parameter credentials: Those of the previous attempt.
  nonisolated(nonsending) func adapted(
    _ exchange: Exchange, after credentials: AuthenticationMarks = [:]
  ) async throws(FetchError) -> AdaptedRequest {
    var adapted = AdaptedRequest(request: exchange.original, credentials: credentials)
    for interceptor in interceptors {
      let hidden = adapted.request.headers.hiddenNames
      let call = InterceptorCall(adapted.credentials)
      adapted.request = try await exchange.run(call) { [request = adapted.request] in
        try await interceptor.adapt(request)
      }
      adapted.credentials = call.credentials.withLock(\.self)
      // Preserves the names of the fields with credentials if an interceptor replaces the fields.
      adapted.request.headers.hiddenNames.formUnion(hidden)
    }
    return adapted
  }

  /// Returns the first decision that is not `asConfigured`.
  ///
  /// - Parameter retries: The number of times each interceptor has retried the request.
  nonisolated(nonsending) func decision(
    after failure: AttemptError, of adapted: AdaptedRequest, _ retries: inout [Int], _ exchange: Exchange
  ) async throws(FetchError) -> RetryDecision {
    let request = adapted.request
    // A POST that was answered with a redirect has been processed, so renewing the credentials must not send it again.
    let mayHaveActed = !request.isRepeatable && failure.request.method != request.method
    let credentials = failure.follower.isForeign || mayHaveActed ? [:] : adapted.credentials
    let attempt = exchange.attempts.count
    for (index, interceptor) in interceptors.enumerated() {
      let decision = try await exchange.run(InterceptorCall(credentials, retries: retries[index])) {
        try await interceptor.decide(after: failure.error, of: request, attempt: attempt)
      }
      guard decision != .asConfigured else { continue }
      retries[index] += 1
      return decision
    }
    return .asConfigured
  }
}

extension Exchange {
  /// Runs the code of an interceptor.
  nonisolated(nonsending) fileprivate func run<Value: Sendable>(
    _ call: InterceptorCall, _ body: @escaping @Sendable () async throws -> Value
  ) async throws(FetchError) -> Value {
    do {
      return try await withRemainingTime { try await InterceptorCall.$current.withValue(call, operation: body) }
    } catch {
      let context = context(of: original)
      throw switch error {
      case is TimeoutError: .timeout(.total, context)
      case is CancellationError where isCancelled: .cancelled(context)
      case let failure as AuthenticationFailure: .authentication(failure.cause, context)
      default: .interceptor(error, context)
      }
    }
  }

  /// Runs the code of an interceptor or handler within the time left, and until the fetch is cancelled.
  nonisolated(nonsending) func withRemainingTime<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await open.run { [remaining, time] in try await withTimeout(remaining, time, body) }
  }
}
