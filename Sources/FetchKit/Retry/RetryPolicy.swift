/// A policy that determines whether a failed request is retried, and after what delay.
///
/// ```swift
/// let client = FetchClient {
///   $0.retry = .standard
///   $0.retry.maxAttempts = 5
/// }
/// ```
///
/// A request is retried only if all of these conditions are met:
/// - The failure may be temporary: a timeout, a status code in ``statuses``, or a ``ConnectionFailure`` other than
///   ``ConnectionFailure/tls`` and ``ConnectionFailure/proxy``. A 403 response that limits the rate of requests (see
///   ``StatusFailure/isRetryable``) is treated like a 429 response.
/// - Repeating the request is harmless: the method is idempotent, the request was declared idempotent (see
///   ``Idempotency``), or no server processed the request or responded with a redirect.
/// - The request body can be read again.
/// - The host's retry budget and the total timeout permit another attempt.
///
/// The delay is a random duration between zero and an exponentially growing limit (full jitter). If the server sends
/// `Retry-After`, the delay is exactly the one that this field specifies. If a response that limits the rate has only
/// fields such as `X-RateLimit-Reset`, the delay lasts until the reset.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts. If 1, requests are never retried.
  ///
  /// Within a single attempt, the transport may resend the request if a reused connection turns out to be dead and
  /// repeating the request is harmless. A server can therefore receive the request more times than there are attempts.
  public var maxAttempts: Int
  /// The upper limit of the first delay. The limit doubles with each attempt, up to ``maxDelay``.
  public var baseDelay: Duration = .milliseconds(500)
  /// The maximum delay between two attempts if the server does not send `Retry-After`.
  public var maxDelay: Duration = .seconds(20)
  /// The maximum delay that `Retry-After` can request. If the server requests a longer delay, the request is not
  /// retried, and the fetch fails.
  public var maxRetryAfter: Duration = .seconds(60)
  /// The maximum sum of all delays during a fetch.
  public var maxTotalDelay: Duration = .seconds(120)
  /// The timeout for one attempt. The timeout includes redirects but not the time that a request waits because of a
  /// concurrency limit or a rate limit. If nil, only the total timeout applies.
  public var attemptTimeout: Duration?
  /// The status codes after which a request is retried. The default codes are 408, 425, 429, 500, 502, 503 and 504.
  public var statuses = StatusFailure.retryableStatusCodes
  /// The retry budget for each host, or nil for no limit.
  public var budget: RetryBudget? = RetryBudget()

  /// Creates a policy with the given maximum number of attempts.
  public init(maxAttempts: Int) {
    self.maxAttempts = maxAttempts
  }

  /// A policy that never retries a request.
  public static let none = RetryPolicy(maxAttempts: 1)
  /// A policy with at most three attempts.
  public static let standard = RetryPolicy(maxAttempts: 3)
}

/// Whether a request can safely be sent more than once.
public enum Idempotency: Sendable, Hashable {
  /// The method determines whether the request can be sent more than once. GET, HEAD, PUT, DELETE, OPTIONS and TRACE
  /// requests can be sent more than once.
  case byMethod
  /// The request can be sent more than once, regardless of the method.
  case declared
  /// The request can be sent more than once, because every attempt sends this `Idempotency-Key`, by which the server
  /// recognizes repeated requests.
  case key(String)
  /// Like ``key(_:)``, but with a key that is generated for each fetch.
  case generatedKey
}
