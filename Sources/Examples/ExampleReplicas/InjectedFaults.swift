/// The failures that an ``ExampleServer`` simulates.
public struct InjectedFaults: Sendable {
  /// The delay of each response.
  public var latency = Duration.zero
  /// The rate of responses in bytes per second, or nil for no limit.
  public var bytesPerSecond: Int?
  /// If set, every N-th request is answered with status 503.
  public var failEvery: Int?
  /// If set, all requests after the N-th are answered with status 503.
  public var failAfter: Int?
  /// If set, the connection of every N-th request is reset in the middle of the response body.
  public var breakEvery: Int?

  /// Creates a value that injects no faults.
  public init() {}
}
