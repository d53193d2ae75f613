/// When a request that failed is sent again, and how long to wait before.
///
/// ```swift
/// let client = FetchClient {
///   $0.retry = .standard
///   $0.retry.maxAttempts = 5
/// }
/// ```
///
/// A request is sent again only if
/// - it failed in a way that may pass: a lost, refused or unresolved connection, a deadline of one attempt, or one of
///   ``statuses``;
/// - repeating is harmless: the method is idempotent, the request was declared so (see ``Idempotency``), or nothing of
///   it was sent, not even to a server that answered with a redirect;
/// - its body can be read again;
/// - the budget of its host and the total deadline leave room.
///
/// The wait is random between zero and an exponentially growing bound (full jitter); where the server says
/// `Retry-After`, it is exactly that.
public struct RetryPolicy: Sendable, Hashable {
  /// The most attempts; 1 means no retry.
  ///
  /// Within an attempt the transport sends a request that may be repeated once more if a kept connection turns out to
  /// be dead: a server can see one request more than this.
  public var maxAttempts: Int
  /// The bound of the first wait; it doubles with each attempt.
  public var baseDelay: Duration = .milliseconds(500)
  /// The bound that no wait exceeds, `Retry-After` apart.
  public var maxDelay: Duration = .seconds(20)
  /// A `Retry-After` longer than this ends the fetch instead.
  public var maxRetryAfter: Duration = .seconds(60)
  /// All waits of a fetch together.
  public var maxTotalDelay: Duration = .seconds(120)
  /// How long one attempt may take, all of its redirects together, the wait for a turn apart; nil for as long as the
  /// fetch has.
  public var attemptTimeout: Duration?
  /// The statuses after which a request is sent again.
  public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
  /// How many retries a host may cause; nil for no limit.
  public var budget: RetryBudget? = RetryBudget()

  /// A policy that sends a request so often at most.
  public init(maxAttempts: Int) {
    self.maxAttempts = maxAttempts
  }

  /// No retry.
  public static let none = RetryPolicy(maxAttempts: 1)
  /// Three attempts.
  public static let standard = RetryPolicy(maxAttempts: 3)
}
