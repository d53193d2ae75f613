public import Foundation

extension FetchClient {
  /// What a client works with; every member can be set in the closure of ``FetchClient/init(_:)``.
  public struct Configuration: Sendable {
    /// What carries the requests.
    public var transport: any Transport
    /// How long each phase may take, unless a request says otherwise.
    public var deadlines = Deadlines()
    /// How large a response may be, unless a request says otherwise.
    public var limits = ResponseLimits()
    /// Fields for every request that does not name them itself.
    public var headers: HTTPHeaders = [:]
    /// Which status codes are a success, unless a request says otherwise; 200 to 299 unless set.
    public var acceptedStatus = 200..<300
    /// When requests are sent again, unless a request says otherwise; never unless set.
    public var retry = RetryPolicy.none
    /// How redirects are followed, unless a request says otherwise.
    public var redirects = RedirectPolicy.follow
    /// What keeps responses and answers with them; nothing unless set. May be shared with other clients.
    public var cache: HTTPCache?
    /// Whether safe requests that are the same in every field share one run while it is under way; not unless set.
    ///
    /// Each of those who share it keeps its own cancellation and total deadline; the run ends when the last has left.
    /// One that comes when it has ended starts anew.
    public var sharesRequests = false
    /// How many requests go to a host in a time; any number unless set.
    public var rateLimit: RateLimit?
    /// How many requests are under way at a time.
    public var concurrency = ConcurrencyLimits()
    /// What changes requests on their way out and has a say when they fail, in order.
    public var interceptors: [any Interceptor] = []
    /// What is told about every fetch.
    public var monitors: [any EventMonitor] = []
    /// Names of query items that never appear in an error or log, besides those that carry credentials nearly
    /// everywhere.
    public var redactedQueryItems: Set<String> = []
    /// Names of header fields whose values never appear in an error, a log or a description of a response's fields,
    /// besides ``HTTPHeaders/redactedByDefault``.
    public var redactedHeaders: Set<String> = []

    /// The clock for deadlines and waits of the client; those of the transport are its own.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// A number from 0 up to 1 for each wait between attempts.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }
    /// The time of day, for `Retry-After` with a date in a response without one.
    public var date: @Sendable () -> Date = { Date() }

    init() {
      transport = DefaultTransport.shared
    }
  }
}
