/// The maximum number of requests to each host in an interval. Excess requests wait instead of being rejected.
///
/// ```swift
/// let client = FetchClient {
///   $0.rateLimit = RateLimit(10, per: .seconds(1), burst: 20)
/// }
/// let polite = FetchClient { $0.rateLimit = .serverDirected }
/// ```
///
/// The limit is enforced by a token bucket for each combination of scheme, host and port. Limits reported by the server
/// also apply: `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), the older
/// `RateLimit-Remaining` and `RateLimit-Reset`, and `Retry-After` in a 429 or 503 response. The wait counts toward the
/// total timeout. A request that would have to wait longer than its total timeout fails immediately.
public struct RateLimit: Sendable, Hashable {
  /// The number of requests per interval. If nil, only the limits reported by the server apply.
  public var requests: Int?
  /// The interval.
  public var interval: Duration
  /// The number of requests that can start at the same time after a quiet period.
  public var burst: Int
  /// Whether limits reported by the server apply.
  public var respectsServerLimits = true
  /// The maximum time for which the server can delay requests. The default is one minute. After this time, requests are
  /// sent regardless of the server's limit.
  public var maxPause = Duration.seconds(60)

  /// Creates a limit of at least 1 request per interval. By default, the burst equals the number of requests.
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

  /// A rate limit that consists only of the limits reported by the server.
  public static let serverDirected = RateLimit()
}
