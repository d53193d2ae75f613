internal import Foundation

/// The stages between the client and the transport, shared by all fetches of a client.
///
/// Each stage passes a request and its ``Exchange`` on to the next: coalescing, retries, redirects, cache, transport.
final class Pipeline: Sendable {
  let configuration: FetchClient.Configuration
  /// The header fields that the client adds to a request.
  let fields: HTTPHeaders
  let redactor: Redactor
  let time: TimeSource
  let limiter: ConcurrencyLimiter
  let streamLimiter: ConcurrencyLimiter
  let socketLimiter: ConcurrencyLimiter
  let budgets = RetryBudgets()
  let open = OpenFetches()
  let coalescer: Coalescer<FetchKey, CoalescingStage.Outcome>?
  private let first: CoalescingStage

  init(_ configuration: FetchClient.Configuration) {
    self.configuration = configuration
    fields = configuration.fields
    redactor = Redactor(queryItems: configuration.redactedQueryItems, headers: configuration.redactedHeaders)
    time = TimeSource(configuration.clock)
    limiter = ConcurrencyLimiter(configuration.concurrency, time)
    streamLimiter = ConcurrencyLimiter(configuration.concurrency.ofStreams, time)
    socketLimiter = ConcurrencyLimiter(configuration.concurrency.ofSockets, time)
    coalescer = configuration.coalescesRequests ? Coalescer(time) : nil

    let transport = TransportStage(
      transport: configuration.transport, rateLimiter: configuration.rateLimit.map { [time] in RateLimiter($0, time) },
      limiter: limiter, streamLimiter: streamLimiter, socketLimiter: socketLimiter, date: configuration.date)
    let cache = CacheStage(cache: configuration.cache, next: transport, open: open, date: configuration.date)
    let retries = RetryStage(
      interceptors: InterceptorChain(interceptors: configuration.interceptors), budgets: budgets,
      date: configuration.date, random: configuration.random, cache: cache,
      next: RedirectStage(handler: configuration.redirectHandler, next: cache))
    first = CoalescingStage(coalescer: coalescer, cache: cache, next: retries)
  }

  /// Returns the value that the strategy extracts from the whole response, after checking its status code.
  nonisolated(nonsending) func value<Value>(
    of request: HTTPRequest, _ strategy: ExtractionStrategy<Value>
  ) async throws(FetchError) -> Value {
    let open = try begin(request)
    defer { open.end() }
    return try await fetch(request, delivery: .whole, open: open) { (reply, attempts) throws(FetchError) in
      let response = FetchResponse(reply, body: reply.body.data ?? Data(), attempts)
      do {
        return try strategy.extract(response)
      } catch {
        throw .extraction(error, context(of: response))
      }
    }
  }

  /// Returns the response head, after checking its status code, and the body as a stream.
  nonisolated(nonsending) func stream(_ request: HTTPRequest) async throws(FetchError) -> FetchStream {
    let open = try begin(request)
    do throws(FetchError) {
      var stream = try await stream(request, within: open)
      stream.open = open
      return stream
    } catch {
      open.end()
      throw error
    }
  }

  /// The same as a part of something that ends by itself, or goes on when the client is shut down.
  nonisolated(nonsending) func stream(
    _ request: HTTPRequest, within open: OpenFetch?
  ) async throws(FetchError) -> FetchStream {
    try await fetch(request, delivery: .stream, open: open) { (reply, attempts) throws(FetchError) in
      let response = FetchResponse(reply, body: Data(), attempts)
      return FetchStream(response, reply.body, permit: reply.permit, context: context(of: response))
    }
  }

  /// Opens the connection of a WebSocket.
  nonisolated(nonsending) func socket(
    _ request: HTTPRequest, _ options: WebSocketOptions, within open: OpenFetch?
  ) async throws(FetchError) -> (any SocketConnection, Permit?) {
    var options = options
    options.time = time
    return try await fetch(request, delivery: .stream, socket: options, open: open) { (reply, _) throws(FetchError) in
      guard let connection = reply.socket else {
        throw .malformedResponse(reason: "the server opened no WebSocket", context(of: request))
      }
      return (connection, reply.permit)
    }
  }

  func begin(_ request: HTTPRequest?) throws(FetchError) -> OpenFetch {
    guard let open = open.begin() else { throw .shutDown(context(of: request)) }
    return open
  }

  /// - Parameter conclude: Makes the value of the fetch from the reply and the attempts.
  nonisolated(nonsending) private func fetch<Value>(
    _ request: HTTPRequest, delivery: TransportRequest.Delivery, socket: WebSocketOptions? = nil, open: OpenFetch?,
    _ conclude: (Reply, [Attempt]) throws(FetchError) -> Value
  ) async throws(FetchError) -> Value {
    var request = request.prepared(with: fields)
    request.headers.hiddenNames = redactor.headers
    var exchange = Exchange(
      request, delivery: delivery, settings: Exchange.Settings(request.options, configuration), redactor: redactor,
      time: time, monitors: configuration.monitors, open: open)
    exchange.socket = socket
    exchange.reporter?.note(.started, exchange.original)
    do throws(FetchError) {
      let reply = try await first.reply(to: &exchange)
      let value = try conclude(reply, exchange.attempts)
      exchange.reporter?.note(.succeeded(status: reply.head.status), exchange.original)
      return value
    } catch {
      exchange.reporter?.note(.failed(error), exchange.original)
      throw error
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

extension Exchange.Settings {
  fileprivate init(_ options: RequestOptions, _ configuration: FetchClient.Configuration) {
    self.init(
      acceptableStatusCodes: options.acceptableStatusCodes ?? configuration.acceptableStatusCodes,
      limits: options.limits ?? configuration.limits, timeouts: options.timeouts ?? configuration.timeouts,
      retry: options.retry ?? configuration.retry, redirects: configuration.redirects)
  }
}

extension FetchResponse {
  fileprivate init(_ reply: Reply, body: Data, _ attempts: [Attempt]) {
    self.init(
      head: reply.head, body: body, method: reply.request.method, url: reply.request.url, attempts: attempts,
      redirects: reply.redirects, source: reply.source)
  }
}
