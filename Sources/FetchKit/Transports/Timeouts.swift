/// The timeouts for the phases of a request. If a timeout is nil, the time for that phase is not limited.
///
/// Timeouts can include fractions of a second. All timeouts are measured with a monotonic clock, so changes to the
/// system time do not affect them.
public struct Timeouts: Sendable, Hashable {
  /// The maximum time from the start of the request until a connection is established, including the name lookup and
  /// the TLS handshake.
  public var connect: Duration?
  /// The maximum time during which no byte is sent or received on an established connection. The time during which a
  /// transfer is paused because its stream is consumed slowly does not count.
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
