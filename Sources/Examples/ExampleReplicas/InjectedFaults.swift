/// The failures that an ``ExampleServer`` simulates.
public struct InjectedFaults: Sendable {
  /// The time by which each response is delayed.
  public var latency = Duration.zero
  /// The maximum speed of responses in bytes per second, or nil for no limit.
  public var bytesPerSecond: Int?
  /// If set to N, the server answers every N-th request with status 503.
  public var failEvery: Int?
  /// If set to N, the server answers all requests after the N-th request with status 503.
  public var failAfter: Int?
  /// If set to N, the server resets the connection of every N-th request in the middle of the response body.
  public var breakEvery: Int?

  /// Creates a value that injects no faults.
  public init() {}
}
