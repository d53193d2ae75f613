/// When, and how soon, a ``WebSocket`` or an ``EventStream`` that has lost its connection opens another one.
///
/// The delay is random, between zero and a limit that doubles with each connection that fails in a row (full jitter).
/// The limit starts again after a connection that was open for 10 seconds, that has delivered an event of an event
/// stream, or on which the server has resumed a WebSocket. A server's `Retry-After` or `retry:` is the minimum.
public struct ReconnectionPolicy: Sendable {
  /// The limit of the first delay.
  public var baseDelay: Duration
  /// The limit that all further delays stay below.
  public var maximumDelay = Duration.seconds(30)
  /// The most connections that may fail in a row; nil for any number.
  public var maximumFailures: Int?
  /// Decides about an error, but not about an end without one, which is a closure with code 1000 or without a code, or
  /// the end of an event stream's response. Return nil to apply the default:
  ///
  /// - Lost connections, names that cannot be resolved, pings without an answer, timeouts, closures with code 1001,
  ///   1011, 1012 and 1013, and status codes such as 429 and 503 (``StatusFailure/isRetryable``) lead to another
  ///   connection. If `Retry-After` asks for more than an hour, the error is thrown.
  /// - Everything else is thrown: closures with other codes, violations of the protocol, other status codes, errors of
  ///   TLS and of interceptors.
  public var decision: @Sendable (FetchError) -> Bool? = { _ in nil }

  /// Creates a policy that reconnects without end.
  public init(baseDelay: Duration = .seconds(1)) {
    self.baseDelay = baseDelay
  }

  /// Never reconnects.
  public static let never: ReconnectionPolicy = {
    var policy = ReconnectionPolicy()
    policy.maximumFailures = 0
    return policy
  }()
}
