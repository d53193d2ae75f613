public import Foundation

extension FetchClient.Configuration {
  /// A function that decides about a redirect. It receives the redirect and the request to its target, and returns the
  /// request to send instead, the same or a changed one. If it returns nil, the redirect is not followed but is the
  /// response, as with ``RedirectPolicy/ignore``.
  ///
  /// ```swift
  /// let client = FetchClient {
  ///   $0.redirectHandler = { redirect, next in
  ///     redirect.to.host() == redirect.from.host() ? next : nil
  ///   }
  /// }
  /// ```
  ///
  /// The rules of the ``RedirectPolicy`` also apply to a changed request: it cannot lead from https to http, form a
  /// loop or contain a body that can be read only once. From the first redirect to another origin on, credentials and
  /// cookies are removed from its header fields, so the function cannot add any for that origin. The function is called
  /// concurrently for different fetches. The time that it takes counts toward the total timeout.
  public typealias RedirectHandler = @Sendable (_ redirect: Redirect, _ next: HTTPRequest) async -> HTTPRequest?
}

extension FetchClient {
  /// The configuration of a client. Set the properties in the closure that you pass to ``FetchClient/init(_:)``.
  public struct Configuration: Sendable {
    /// The transport that sends the requests.
    public var transport: any Transport
    /// The timeouts for each phase of a request. A request can override these timeouts.
    public var timeouts = Timeouts()
    /// The maximum sizes of a response's header fields and body. A request can override these limits.
    public var limits = ResponseLimits()
    /// Header fields that are added to every request. A field is not added if the request already sets a field with
    /// that name. With every transport, a request for which neither sets `Accept` is sent with `Accept: */*`.
    public var headers: HTTPHeaders = [:]
    /// The value of the `User-Agent` field, which is sent unless ``headers`` or the request sets the field. The default
    /// is the name and version of this library and the platform, such as `Larder/0.1.0 (Linux)`. If nil, the client
    /// does not set the field. URLSession then sets its own on Apple platforms.
    public var userAgent: String? = "Larder/\(Library.version) (\(Library.platform))"
    /// The status codes that count as success. The default is 200 to 299. A request can override this range.
    public var acceptableStatusCodes = 200..<300
    /// The policy for retrying requests. By default, requests are not retried. A request can override this policy.
    public var retry = RetryPolicy.none
    /// The policy for following redirects. A request can override this policy.
    public var redirects = RedirectPolicy.follow
    /// A function that decides about each redirect that the policy permits, or nil to follow all of them.
    public var redirectHandler: RedirectHandler?
    /// The cache that stores and serves responses. By default, the client has no cache. Several clients can share one
    /// cache.
    public var cache: HTTPCache?
    /// Whether identical safe requests that are in progress at the same time are coalesced into one. The default is
    /// false.
    ///
    /// Two requests are identical if they have the same method, the same URL, the same header fields, and the same
    /// options that affect the response. Each caller has its own total timeout and can be cancelled independently. The
    /// shared request is cancelled when all callers that were waiting for it have been cancelled or have timed out. A
    /// fetch that begins after the shared request has ended sends a new request.
    public var coalescesRequests = false
    /// The maximum rate at which requests are sent to each host. By default, the rate is not limited.
    public var rateLimit: RateLimit?
    /// The maximum number of requests and streams that are in progress at the same time, in total and per host.
    public var concurrency = ConcurrencyLimits()
    /// The interceptors, which are called in the order of the array. An interceptor can change outgoing requests and
    /// determine what happens when a request fails.
    public var interceptors: [any Interceptor] = []
    /// The monitors that receive the events of every fetch.
    public var monitors: [any EventMonitor] = []
    /// The names of query items that contain secrets. The values of these items never appear in errors or logs. Items
    /// with names that are commonly used for credentials are always hidden, even if you do not list them.
    public var redactedQueryItems: Set<String> = []
    /// The names of header fields that contain secrets. The values of these fields never appear in errors, in logs, or
    /// in descriptions of a response's header fields. The fields in ``HTTPHeaders/redactedByDefault`` are always
    /// hidden, even if you do not list them.
    public var redactedHeaders: Set<String> = []

    /// The clock for the client's timeouts and delays. The transport uses its own clock, so this property does not
    /// affect the timeouts that the transport enforces.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// A function that returns a random number from 0 up to, but not including, 1. The client calls the function at
    /// most once for each attempt, and uses the number to compute the delay before the next attempt.
    public var random: @Sendable () -> Double = { .random(in: 0..<1) }
    /// A function that returns the current date. The client uses the date to compute the age of stored responses, and
    /// to interpret a `Retry-After` date in a response without a `Date` field.
    public var date: @Sendable () -> Date = { Date() }

    init() {
      transport = DefaultTransport.shared
    }

    /// The fields of every request that does not set them.
    var fields: HTTPHeaders {
      var fields = headers
      if fields["Accept"] == nil { fields.append("*/*", for: "Accept") }
      if let userAgent, fields["User-Agent"] == nil { fields.append(userAgent, for: "User-Agent") }
      return fields
    }
  }
}
