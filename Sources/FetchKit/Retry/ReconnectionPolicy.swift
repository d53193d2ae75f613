/// When, and how soon, a ``WebSocket`` or an ``EventStream`` that has lost its connection opens another one.
///
/// The delay is random, between zero and a limit that doubles with each connection that fails in a row (full jitter).
/// The limit starts again after a connection that was open for 10 seconds, that has delivered an event of an event
/// stream, or on which the server has resumed a WebSocket. A server's `Retry-After` or `retry:` is the minimum.
public struct ReconnectionPolicy: Sendable {
  /// The limit of the first delay, at most an hour.
  public var baseDelay: Duration
  /// What the limit grows to. A server may ask for more.
  public var maximumDelay: Duration
  /// How many connections in a row are opened without success after a loss; nil for any number. Then a WebSocket throws
  /// the last error, and an event stream ends as its last connection did, with an error or without one.
  public var maximumFailures: Int?
  /// Decides about an error, but not about an end without one, which is a closure with code 1000 or without a code, or
  /// the end of an event stream's response. Return nil to apply the default:
  ///
  /// - Lost connections, names that cannot be resolved, pings without an answer, timeouts, closures with code 1001,
  ///   1011, 1012 and 1013, and status codes such as 429 and 503 (``StatusFailure/isRetryable``) lead to another
  ///   connection. If `Retry-After` asks for more than an hour, the error is thrown.
  /// - Everything else is thrown: closures with other codes, violations of the protocol, other status codes, errors of
  ///   TLS and of interceptors.
  ///
  /// It is not asked about cancellation, the total timeout of an event stream, or the first connection of a WebSocket,
  /// whose error is thrown.
  public var decision: @Sendable (FetchError) -> Bool? = { _ in nil }

  /// Creates a policy. By default, it reconnects without end.
  public init(
    baseDelay: Duration = .seconds(1), maximumDelay: Duration = .seconds(30), maximumFailures: Int? = nil
  ) {
    self.baseDelay = baseDelay
    self.maximumDelay = maximumDelay
    self.maximumFailures = maximumFailures
  }

  /// Never reconnects. It is not called `none`, which would be the nil of an optional policy.
  public static let never = ReconnectionPolicy(maximumFailures: 0)
}
