/// What one request wants otherwise than the client's configuration says; nil leaves it as configured.
public struct RequestOptions: Sendable {
  /// How long each phase may take.
  public var deadlines: Deadlines?
  /// How large the response may be.
  public var limits: ResponseLimits?
  /// Which status codes are a success.
  public var acceptedStatus: Range<Int>?

  /// Options that change nothing.
  public init() {}
}
