public import Foundation

extension FetchClient {
  /// The configuration of a client. Set its properties in the closure passed to ``FetchClient/init(_:)``.
  public struct Configuration: Sendable {
    /// The transport that sends the requests.
    public var transport: any Transport
    /// The timeouts for each phase of a request. A request can override them.
    public var timeouts = Timeouts()
    /// The maximum size of a response. A request can override it.
    public var limits = ResponseLimits()
    /// Header fields that are added to every request that does not set them itself.
    public var headers: HTTPHeaders = [:]
    /// The status codes that count as success. The default is 200 to 299, and a request can override it.
    public var acceptableStatusCodes = 200..<300
    /// The policy for retrying requests. By default, requests are not retried. A request can override this policy.
    public var retry = RetryPolicy.none
    /// How redirects are followed. A request can override this policy.
    public var redirects = RedirectPolicy.follow
    /// The cache that stores and serves responses. By default, there is no cache. Several clients can share one cache.
    public var cache: HTTPCache?
    /// Whether identical safe requests that are in progress at the same time are coalesced into one. The default is
    /// false.
    ///
    /// Requests are identical if their method, their URL, all their header fields and the options that affect the
    /// response match. Each caller has its own total timeout and can be cancelled independently. The shared request is
    /// cancelled when no more callers are waiting for it. A fetch that begins after the shared request has ended sends
    /// a new request.
    public var coalescesRequests = false
    /// The rate limit per host. By default, there is no limit.
    public var rateLimit: RateLimit?
    /// How many requests can be in progress at the same time.
    public var concurrency = ConcurrencyLimits()
    /// The interceptors, which are called in order. They change outgoing requests and determine what happens when a
    /// request fails.
    public var interceptors: [any Interceptor] = []
    /// The monitors that receive the events of every fetch.
    public var monitors: [any EventMonitor] = []
    /// The names of query items whose values never appear in an error or a log, in addition to names that are commonly
    /// used for credentials.
    public var redactedQueryItems: Set<String> = []
    /// The names of header fields whose values never appear in an error, a log or a description of a response's header
    /// fields, in addition to ``HTTPHeaders/redactedByDefault``.
    public var redactedHeaders: Set<String> = []

    /// The clock for the client's timeouts and delays. The transport uses its own clock.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// A function that returns a random number from 0 up to, but not including, 1. It is called once for each delay
    /// between attempts.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }
    /// A function that returns the current date. The client calls it to interpret a `Retry-After` date in a response
    /// without a `Date` field.
    public var date: @Sendable () -> Date = { Date() }

    init() {
      transport = DefaultTransport.shared
    }
  }
}
