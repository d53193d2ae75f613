/// The timeouts for the phases of a request. If a timeout is nil, there is no limit.
///
/// Fractions of a second are respected, and the clock is monotonic.
public struct Timeouts: Sendable, Hashable {
  /// The maximum time from the start of the request until a connection is established, including the name lookup and
  /// the TLS handshake.
  public var connect: Duration?
  /// The maximum time during which no byte is sent or received on an established connection. It does not include the
  /// time during which the consumer of a stream pauses the transfer.
  public var idle: Duration?
  /// The maximum time from the start of the request to the last byte of the response body.
  public var total: Duration?

  /// Creates timeouts. The defaults are 10 seconds to connect, 30 seconds of inactivity, and 5 minutes in total.
  public init(
    connect: Duration? = .seconds(10), idle: Duration? = .seconds(30), total: Duration? = .seconds(300)
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
  }
}
