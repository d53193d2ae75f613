/// The failures that an ``ExampleServer`` simulates.
public struct InjectedFaults: Sendable {
  /// The delay of each response.
  public var latency = Duration.zero
  /// The rate of responses in bytes per second; nil for no limit.
  public var bytesPerSecond: Int?
  /// Answers every N-th request with 503.
  public var failEvery: Int?
  /// Answers all requests after the N-th with 503.
  public var failAfter: Int?
  /// Resets the connection of every N-th request in the middle of the response body.
  public var breakEvery: Int?

  /// Creates a value that injects no faults.
  public init() {}
}
