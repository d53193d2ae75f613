/// The maximum number of requests that are sent to each host in a time interval. Requests that exceed the limit are
/// delayed, not rejected.
///
/// ```swift
/// let client = FetchClient {
///   $0.rateLimit = RateLimit(10, per: .seconds(1), burst: 20)
/// }
/// let polite = FetchClient { $0.rateLimit = .serverDirected }
/// ```
///
/// Each combination of scheme, host and port has a separate token bucket. The client also respects the limits that a
/// server reports in these header fields: `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers),
/// the older `RateLimit-Remaining` and `RateLimit-Reset`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, and
/// `Retry-After` in a 403, 429 or 503 response. A reset is a number of seconds or, if it is above 1 000 000 000, the
/// time since 1970, as GitHub and GitLab send it.
///
/// The time that a request spends waiting counts toward the total timeout. A request that would have to wait longer
/// than its total timeout fails immediately.
public struct RateLimit: Sendable, Hashable {
  /// The maximum number of requests per ``interval``. If nil, only the limits that the server reports apply.
  public var requests: Int?
  /// The time interval to which ``requests`` applies.
  public var interval: Duration
  /// The maximum number of requests that can start at the same time after a period without requests.
  public var burst: Int
  /// Whether the client respects the limits that the server reports.
  public var respectsServerLimits = true
  /// The maximum time for which a limit reported by the server can delay requests. The default is one minute. After
  /// this time, requests are sent even if the server's limit still applies.
  public var maxPause = Duration.seconds(60)

  /// Creates a rate limit. A number of requests below 1 is treated as 1. By default, ``burst`` equals the number of
  /// requests.
  public init(_ requests: Int, per interval: Duration = .seconds(1), burst: Int? = nil) {
    self.requests = max(1, requests)
    self.interval = max(interval, .nanoseconds(1))
    self.burst = max(1, burst ?? requests)
  }

  private init() {
    requests = nil
    interval = .seconds(1)
    burst = 1
  }

  /// A rate limit that applies only the limits that the server reports.
  public static let serverDirected = RateLimit()
}
