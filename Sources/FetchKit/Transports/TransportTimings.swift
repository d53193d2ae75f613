/// When each phase of a request had ended, counted from its start; nil where the transport does not know or the phase
/// did not take place (a reused connection has no name look-up, no connect and no TLS).
public struct TransportTimings: Sendable, Hashable {
  /// The name was resolved.
  public var nameLookup: Duration?
  /// The connection stood.
  public var connect: Duration?
  /// TLS was agreed.
  public var tls: Duration?
  /// The first byte of the response came.
  public var firstByte: Duration?
  /// The head was complete (streams), or the body too (whole).
  public var total: Duration?

  /// Timings, each nil unless given.
  public init(
    nameLookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil, firstByte: Duration? = nil,
    total: Duration? = nil
  ) {
    self.nameLookup = nameLookup
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.total = total
  }
}
