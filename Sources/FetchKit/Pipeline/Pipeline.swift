internal import Foundation

/// The stages between the client and the transport, shared by all fetches of a client.
///
/// The order is: prepare, interceptors, coalescing. Then, for each attempt and redirect: cache, rate limit, admission,
/// transport. Finally: status check and retry.
final class Pipeline: Sendable {
  let configuration: FetchClient.Configuration
  let redactor: Redactor
  let time: TimeSource
  let admission: ConcurrencyLimiter
  let budgets = RetryBudgets()
  let coalescer: Coalescer<FetchKey, RequestExecution.SharedOutcome>?
  let rateLimiter: RateLimiter?

  init(_ configuration: FetchClient.Configuration) {
    self.configuration = configuration
    redactor = Redactor(queryItems: configuration.redactedQueryItems, headers: configuration.redactedHeaders)
    time = TimeSource(configuration.clock)
    admission = ConcurrencyLimiter(configuration.concurrency, time)
    coalescer = configuration.coalescesRequests ? Coalescer(time) : nil
    rateLimiter = configuration.rateLimit.map { [time] in RateLimiter($0, time) }
  }

  /// Returns the value that the strategy makes from the whole response, after checking its status code.
  nonisolated(nonsending) func value<Value>(
    of request: HTTPRequest, _ strategy: ExtractionStrategy<Value>
  ) async throws(FetchError) -> Value {
    var run = RequestExecution(self, request, .whole)
    return try await run.perform { (reply, attempts) throws(FetchError) in
      let response = FetchResponse(
        head: reply.head, body: reply.body.data ?? Data(), method: reply.request.method, url: reply.request.url,
        attempts: attempts, redirects: reply.redirects, source: reply.source)
      return try extract(strategy, from: response)
    }
  }

  /// Returns the response head, after checking its status code, and the body as a stream.
  nonisolated(nonsending) func stream(_ request: HTTPRequest) async throws(FetchError) -> FetchStream {
    var run = RequestExecution(self, request, .stream)
    return try await run.perform { (reply, attempts) throws(FetchError) in
      let response = FetchResponse(
        head: reply.head, body: Data(), method: reply.request.method, url: reply.request.url, attempts: attempts,
        redirects: reply.redirects)
      return FetchStream(response, reply.body, reply.permit, context(of: response))
    }
  }

  private func extract<Value>(
    _ strategy: ExtractionStrategy<Value>, from response: FetchResponse
  ) throws(FetchError) -> Value {
    do {
      return try strategy.extract(response)
    } catch {
      throw .extraction(error, context(of: response))
    }
  }

  func context(of request: HTTPRequest?) -> FetchError.Context {
    FetchError.Context(method: request?.method ?? .get, url: request?.url, redactor: redactor)
  }

  private func context(of response: FetchResponse) -> FetchError.Context {
    FetchError.Context(
      method: response.method, url: response.url, redactor: redactor, attempts: response.attempts)
  }
}
