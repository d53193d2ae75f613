/// What a ``WebSocket`` delivers.
public enum WebSocketEvent: Sendable, Hashable {
  /// A message of the server.
  case message(WebSocketMessage)
  /// The connection was lost, and the server has not resumed on the new one: messages may be missing here, in both
  /// directions. The first value is the last message that marks a position, as
  /// ``WebSocketConfiguration/marksPosition`` says. The second one contains what may not have arrived.
  case gap(since: WebSocketMessage?, unconfirmed: WebSocketUnconfirmed)
}

/// The messages that were sent, and of which nothing says that they have arrived: those since the last confirmed one,
/// or if none was ever confirmed, since the last answered ping. They are not sent again.
public struct WebSocketUnconfirmed: Sendable, Hashable {
  /// The messages in the order in which they were sent.
  public var messages: [WebSocketMessage] = []
  /// Whether there were more, and the first ones are missing because of ``WebSocketConfiguration/unconfirmedBytes``.
  public var isTruncated = false

  /// Creates an empty value.
  public init() {}
}

/// Identifies a message that was sent.
public struct WebSocketReceipt: Sendable, Hashable {
  let number: Int
}
