/// How a WebSocket behaves.
public struct WebSocketOptions: Sendable {
  /// The subprotocols that the client offers, the preferred one first. The server chooses one of them or none.
  public var subprotocols: [String] = []
  /// The maximum number of bytes of a message that is received, after decompression. The default is 16 MiB.
  public var maximumMessageSize = 16 << 20
  /// The maximum number of bytes of received messages that wait for the reader. When they are reached, nothing more is
  /// read from the connection, and so the server is slowed down. The default is 1 MiB, and the least is 1. One message
  /// can be larger.
  public var receiveBuffer = 1 << 20 { didSet { receiveBuffer = max(1, receiveBuffer) } }
  /// The number of bytes waiting to be sent at which ``WebSocket/send(_:)`` begins to wait. The default is 256 KiB,
  /// and the least is 1.
  public var sendBuffer = 256 << 10 { didSet { sendBuffer = max(1, sendBuffer) } }
  /// Whether messages may be compressed, by `permessage-deflate` (RFC 7692). The default is true. Messages of fewer
  /// than 64 bytes are sent uncompressed.
  ///
  /// A secret and text that an attacker chooses must not be compressed together, because the length of the result
  /// reveals something of the secret (CRIME, BREACH).
  public var compression = true
  /// The time without a byte from the server after which a ping is sent, or nil for none. The default is 30 seconds. A
  /// server that is never silent for so long is pinged as often if messages have been sent.
  public var pingInterval: Duration? = .seconds(30)
  /// How long the server may be silent after a ping. The default is 15 seconds.
  public var pingTimeout = Duration.seconds(15)
  /// How long ``WebSocket/close(_:)`` waits for the server's closure. The default is 5 seconds.
  public var closeTimeout = Duration.seconds(5)
  /// The clock of all deadlines; a client sets its own.
  var time = TimeSource(ContinuousClock())

  /// Creates options with the defaults.
  public init() {}
}
