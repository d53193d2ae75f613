/// What goes wrong on purpose at an ``ExampleServer``.
public struct Trouble: Sendable {
  /// How long each answer is held back.
  public var latency = Duration.zero
  /// How fast answers are sent; nil for as fast as it goes.
  public var bytesPerSecond: Int?
  /// Every so many requests one is answered with 503.
  public var failEvery: Int?
  /// All requests after so many are answered with 503.
  public var failAfter: Int?
  /// Every so many requests the connection is reset in the middle of the body.
  public var breakEvery: Int?

  /// None.
  public init() {}
}
