/// An event received from an ``EventStream``.
public struct ServerSentEvent: Sendable, Hashable {
  /// The type of the event, or `message` if the server does not specify a type.
  public var type: String
  /// The data of the event. If the server sends several `data:` lines, they are joined by line feeds.
  public var data: String
  /// The most recent ID that the server sent, either with this event or with an earlier event. The value is an empty
  /// string if the server has not sent an ID.
  public var lastEventID: String

  /// Creates an event from its type, its data and the last ID, for example for a test.
  public init(type: String = "message", data: String, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}
