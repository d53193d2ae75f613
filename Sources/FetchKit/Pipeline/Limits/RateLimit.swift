/// How many requests go to a host in a time; what is too much waits, and nothing is refused.
///
/// ```swift
/// let client = FetchClient { $0.rateLimit = RateLimit(10, per: .seconds(1), burst: 20) }
/// let polite = FetchClient { $0.rateLimit = .asServerSays }
/// ```
///
/// A token bucket for each scheme, host and port. What the server says is heeded besides: `RateLimit` and
/// `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), the older `RateLimit-Remaining` and `RateLimit-Reset`,
/// and `Retry-After` of a 429 or
/// 503. The total deadline runs while a request waits; one that would have to wait beyond it fails at once.
public struct RateLimit: Sendable, Hashable {
  /// How many requests per interval; nil for as many as the server allows.
  public var requests: Int?
  /// The interval.
  public var interval: Duration
  /// How many may go at once after a quiet time.
  public var burst: Int
  /// Whether what the server says is heeded.
  public var heedsServer = true
  /// How long the server can hold requests back at most; a minute unless set. After that they go, and it answers as it
  /// will.
  public var longestPause = Duration.seconds(60)

  /// So many requests, at least 1, per interval; a burst of as many unless given.
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

  /// No limit but what the server says.
  public static let asServerSays = RateLimit()
}
