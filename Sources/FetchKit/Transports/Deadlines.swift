/// How long the phases of a request may take; nil for no limit.
///
/// Fractions of a second are kept, and the clock is monotonic.
public struct Deadlines: Sendable, Hashable {
  /// From the start until a connection stands: name look-up, connect and TLS together.
  public var connect: Duration?
  /// The longest silence on a standing connection: no byte sent, none received. It does not run while the consumer of a
  /// stream holds the transfer back.
  public var idle: Duration?
  /// From the start to the last byte of the body.
  public var total: Duration?

  /// 10 seconds to connect, 30 of silence, 5 minutes in all, unless given.
  public init(
    connect: Duration? = .seconds(10), idle: Duration? = .seconds(30), total: Duration? = .seconds(300)
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
  }
}
