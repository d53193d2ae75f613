extension RequestExecution {
  /// Returns the request as adapted by the interceptors.
  nonisolated(nonsending) func adapt() async throws(FetchError) -> HTTPRequest {
    var adapted = request
    for interceptor in pipeline.configuration.interceptors {
      let hidden = adapted.headers.hiddenNames
      do {
        adapted = try await Bounded.run(within: remaining, pipeline.time) { [adapted] in
          try await interceptor.adapt(adapted)
        }
        // Preserves the names of the fields with credentials if an interceptor replaces the fields.
        adapted.headers.hiddenNames.formUnion(hidden)
      } catch {
        throw interceptorError(error)
      }
    }
    return adapted
  }

  /// Returns the first decision that is not `asConfigured`.
  ///
  /// - Parameter asked: The number of times each interceptor has retried the request.
  nonisolated(nonsending) func interceptorsDecision(
    after error: FetchError, of adapted: HTTPRequest, _ asked: inout [Int]
  ) async throws(FetchError) -> RetryDecision {
    let attempt = attempts.count
    for (index, interceptor) in pipeline.configuration.interceptors.enumerated() {
      var adapted = adapted
      adapted.interceptorRetries = asked[index]
      let decision: RetryDecision
      do {
        decision = try await Bounded.run(within: remaining, pipeline.time) { [adapted] in
          try await interceptor.decide(after: error, of: adapted, attempt: attempt)
        }
      } catch {
        throw interceptorError(error)
      }
      guard decision != .asConfigured else { continue }
      asked[index] += 1
      return decision
    }
    return .asConfigured
  }

  private func interceptorError(_ error: any Error) -> FetchError {
    let context = context(of: request)
    return switch error {
    case is Bounded.OutOfTime: .timeout(.total, context)
    case is CancellationError where Task.isCancelled: .cancelled(context)
    case let failure as AuthenticationFailure: .authentication(failure.cause, context)
    default: .interceptor(error, context)
    }
  }
}
