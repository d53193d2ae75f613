/// When, and how soon, a connection that has ended is opened again.
///
/// The delay is random, between zero and a limit that doubles with each connection that fails in a row (full jitter).
/// The limit starts again after a connection that was open for 10 seconds, or that the server has resumed.
public struct ReconnectionPolicy: Sendable {
  /// The limit of the first delay.
  public var baseDelay = Duration.seconds(1)
  /// The limit that all further delays stay below.
  public var maximumDelay = Duration.seconds(30)
  /// The most connections that may fail in a row; nil for any number.
  public var maximumFailures: Int?
  /// Decides about an error, but not about a closure with code 1000 or without a code. Return nil to apply the default:
  ///
  /// - Closures with code 1001, 1011, 1012 and 1013, lost connections, pings without an answer, timeouts, and status
  ///   codes such as 429 and 503 (``StatusFailure/isRetryable``) lead to another connection. `Retry-After` delays it.
  /// - A closure with code 1000 or without a code is the end.
  /// - Everything else is thrown: closures with other codes, violations of the protocol, other status codes, errors of
  ///   TLS and of interceptors.
  public var decision: @Sendable (FetchError) -> Bool? = { _ in nil }

  /// Creates a policy that reconnects without end.
  public init() {}

  /// Never reconnects.
  public static let none: ReconnectionPolicy = {
    var policy = ReconnectionPolicy()
    policy.maximumFailures = 0
    return policy
  }()
}
