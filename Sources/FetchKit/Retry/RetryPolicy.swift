/// A policy that determines when a failed request is retried, and after what delay.
///
/// ```swift
/// let client = FetchClient {
///   $0.retry = .standard
///   $0.retry.maxAttempts = 5
/// }
/// ```
///
/// A request is retried only if all of these conditions are met:
/// - The request failed in a way that may be temporary: the host name was not resolved, the connection was refused or
///   lost, an attempt timed out, or the status code is one of ``statuses``.
/// - Repeating the request is harmless: the method is idempotent, the request was declared idempotent (see
///   ``Idempotency``), or no part of the request was sent, not even to a server that responded with a redirect.
/// - The request body can be read again.
/// - The host's retry budget and the total timeout permit another attempt.
///
/// The delay is a random duration between zero and an exponentially growing limit (full jitter). If the server sends
/// `Retry-After`, the delay is exactly that value.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts. If 1, requests are never retried.
  ///
  /// Within an attempt, the transport resends a repeatable request once if a kept-alive connection turns out to be
  /// dead. A server can therefore receive one more request than this number.
  public var maxAttempts: Int
  /// The upper limit of the first delay. The limit doubles with each attempt.
  public var baseDelay: Duration = .milliseconds(500)
  /// The maximum delay. It does not apply to `Retry-After`.
  public var maxDelay: Duration = .seconds(20)
  /// The maximum delay that `Retry-After` can request. If the server requests a longer delay, the fetch ends.
  public var maxRetryAfter: Duration = .seconds(60)
  /// The maximum total delay in a fetch.
  public var maxTotalDelay: Duration = .seconds(120)
  /// The timeout for one attempt, including its redirects but not the time spent waiting for its turn. If nil, only the
  /// total timeout applies.
  public var attemptTimeout: Duration?
  /// The status codes after which a request is retried. The default is 408, 425, 429, 500, 502, 503 and 504.
  public var statuses = StatusFailure.retryableStatusCodes
  /// The retry budget for each host, or nil for no limit.
  public var budget: RetryBudget? = RetryBudget()

  /// Creates a policy with a maximum number of attempts.
  public init(maxAttempts: Int) {
    self.maxAttempts = maxAttempts
  }

  /// A policy that never retries.
  public static let none = RetryPolicy(maxAttempts: 1)
  /// A policy with at most three attempts.
  public static let standard = RetryPolicy(maxAttempts: 3)
}

/// Whether a request can safely be sent twice.
public enum Idempotency: Sendable, Hashable {
  /// The method determines whether the request can be sent twice. GET, HEAD, PUT, DELETE, OPTIONS and TRACE requests
  /// can be sent twice.
  case byMethod
  /// The request can be sent twice, regardless of the method.
  case declared
  /// The server recognizes a repeated request by this `Idempotency-Key`, which is the same for every attempt.
  case key(String)
  /// Like ``key(_:)``, but with a key that is generated for each fetch.
  case generatedKey
}
