/// The times at which the phases of a request ended, measured from the start of the request. A time is nil if the
/// transport does not report it or if the phase did not take place. For example, a request on a reused connection has
/// no name lookup, connection or TLS phase.
///
/// ```swift
/// let timings: TransportTimings = try await client.fetch(url, .response).timings
/// print(timings.firstByte ?? .zero)
/// ```
public struct TransportTimings: Sendable, Hashable {
  /// The time at which the host name was resolved.
  public var domainLookup: Duration?
  /// The time at which the connection was established.
  public var connect: Duration?
  /// The time at which the TLS handshake was complete.
  public var tls: Duration?
  /// The time at which the first byte of the response arrived.
  public var firstByte: Duration?
  /// The time at which the response was complete or, if the response is streamed, at which its head was complete.
  public var total: Duration?

  /// Creates timings. Each value is nil by default.
  public init(
    domainLookup: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil, firstByte: Duration? = nil,
    total: Duration? = nil
  ) {
    self.domainLookup = domainLookup
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.total = total
  }
}
