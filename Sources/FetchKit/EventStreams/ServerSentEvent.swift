/// One event of an ``EventStream``.
public struct ServerSentEvent: Sendable, Hashable {
  /// Its type; `message` where the server names none.
  public var type: String
  /// Its data, lines joined by line feeds.
  public var data: String
  /// The last id the server gave, with this event or before; empty where it gave none.
  public var lastEventID: String

  /// An event from its parts.
  public init(type: String = "message", data: String, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}
