#if canImport(CLarderCurl)
extension CurlTransport {
  /// How many connections and requests a transport has to one server.
  public struct ConnectionFigures: Sendable, Hashable {
    /// The connections over which at least one request was sent.
    public var open = 0
    /// The open connections that no request uses. They are kept for later requests.
    public var idle = 0
    /// The requests that have been sent and are not completely answered. Over HTTP/2, they share connections.
    public var requests = 0
    /// The requests that wait for a connection: until it is opened, or until one becomes idle. Requests that wait
    /// because of a client's ``ConcurrencyLimits`` have not reached the transport.
    public var waiting = 0

    /// Creates figures that are all 0.
    public init() {}
  }

  /// The figures of each server with open connections or requests, by its host and port, for example
  /// `api.example.org:443`.
  ///
  /// The cost is proportional to the number of connections and requests. The call can wait for the transport's thread
  /// to finish its current turn.
  public var connectionFigures: [String: ConnectionFigures] { engine.figures() }
}
#endif
