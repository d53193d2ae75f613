/// An event received from an ``EventStream``.
public struct ServerSentEvent: Sendable, Hashable {
  /// The event type, or `message` if the server does not specify a type.
  public var type: String
  /// The data, with its lines joined by line feeds.
  public var data: String
  /// The most recent ID that the server sent, with this event or an earlier one. Empty if the server has not sent an
  /// ID.
  public var lastEventID: String

  /// Creates an event from its parts.
  public init(type: String = "message", data: String, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}
