/// How a ``WebSocket`` connects, reconnects and resumes.
public struct WebSocketConfiguration: Sendable {
  /// What is agreed on with the server, and the limits and deadlines of a connection.
  public var options = WebSocketOptions()
  /// When another connection is opened.
  public var reconnection = ReconnectionPolicy()
  /// Prepares each connection, also the first one, before the sequence reads from it: it can log in, subscribe, and ask
  /// the server to continue after a message.
  ///
  /// The second argument is the last message that the sequence has returned and ``marksPosition`` has accepted; nil on
  /// the first connection, and as long as there was none. Messages that the function does not receive itself
  /// stay in order for the sequence.
  ///
  /// If the function throws, the connection is cut, and the error is thrown by the sequence, unless the policy
  /// reconnects after it: a ``FetchError`` as it is, a ``WebSocketError`` as ``FetchError/socket(_:_:)``, and any other
  /// as ``FetchError/interceptor(_:_:)``. The default returns ``WebSocketResumption/gap``: nothing says that the server
  /// has resumed.
  public var resume: @Sendable (WebSocketLink, WebSocketMessage?) async throws -> WebSocketResumption = { _, _ in .gap }
  /// How long ``resume`` may take. Then it fails with ``FetchError/timeout(_:_:)``. The default is 10 seconds.
  public var resumeTimeout = Duration.seconds(10)
  /// Whether a message says how far the reader is, for example because it has a number. The default is true.
  public var marksPosition: @Sendable (WebSocketMessage) -> Bool = { _ in true }
  /// The maximum number of bytes of unconfirmed messages that are kept for ``WebSocketEvent/gap(since:unconfirmed:)``.
  /// The default is 1 MiB.
  public var unconfirmedBytes = 1 << 20

  /// Creates the default configuration.
  public init() {}
}

/// Whether a new connection continues where the last one was lost.
public enum WebSocketResumption: Sendable {
  /// The server sends everything after the given message.
  case resumed
  /// Messages may be missing.
  case gap
}
