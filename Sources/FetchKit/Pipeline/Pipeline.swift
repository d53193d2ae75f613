internal import Foundation

/// What every request goes through between the client and the transport: what all fetches of a client share.
///
/// The order: prepare, interceptors, sharing with others of the same; then for each attempt and redirect the cache, the
/// rate limit, admission and the transport; then status and retry.
final class Pipeline: Sendable {
  let configuration: FetchClient.Configuration
  let redactor: Redactor
  let time: TimeSource
  let admission: Admission
  let budgets = RetryBudgets()
  let coalescer: Coalescer<FetchKey, FetchRun.SharedOutcome>?
  let rateLimiter: RateLimiter?

  init(_ configuration: FetchClient.Configuration) {
    self.configuration = configuration
    redactor = Redactor(queryItems: configuration.redactedQueryItems, headers: configuration.redactedHeaders)
    time = TimeSource(configuration.clock)
    admission = Admission(configuration.concurrency, time)
    coalescer = configuration.sharesRequests ? Coalescer(time) : nil
    rateLimiter = configuration.rateLimit.map { [time] in RateLimiter($0, time) }
  }

  /// What the strategy makes of the whole response, its status checked.
  nonisolated(nonsending) func value<Value>(
    of request: HTTPRequest, _ strategy: ExtractionStrategy<Value>
  ) async throws(FetchError) -> Value {
    var run = FetchRun(self, request, .whole)
    return try await run.perform { (reply, attempts) throws(FetchError) in
      let response = FetchResponse(
        head: reply.head, body: reply.body.whole ?? Data(), method: reply.request.method, url: reply.request.url,
        attempts: attempts, redirects: reply.redirects, source: reply.source)
      return try extract(strategy, from: response)
    }
  }

  /// The head of a response, its status checked, and its body to be read.
  nonisolated(nonsending) func stream(_ request: HTTPRequest) async throws(FetchError) -> FetchStream {
    var run = FetchRun(self, request, .stream)
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
