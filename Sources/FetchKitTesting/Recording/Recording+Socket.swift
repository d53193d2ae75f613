public import FetchKit

extension Recording {
  /// Something that happened on a WebSocket, as the side that recorded it saw it.
  public enum SocketEvent: Sendable, Equatable {
    /// The recorded program sent a message.
    case sent(Body)
    /// The recorded program read a message.
    case received(Body)
    /// The server closed the WebSocket. A closure by the recorded program is not recorded.
    case closed(WebSocketClosure)
    /// The connection ended in another way. The name is as in ``Recording/fault``, or `silent`, `violation`,
    /// `invalidPayload` or `tooLarge`.
    case fault(String)
  }
}

extension Recording.SocketEvent: Codable {
  private enum Key: CodingKey { case sent, received, closed, reason, fault }

  /// Decodes an event from an object with one member, as in `{"sent": {"text": "hello"}}` and `{"fault": "lost"}`. A
  /// closure can have another one: `{"closed": 1001, "reason": "restart"}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    if let body = try values.decodeIfPresent(Recording.Body.self, forKey: .sent) {
      self = .sent(body)
    } else if let body = try values.decodeIfPresent(Recording.Body.self, forKey: .received) {
      self = .received(body)
    } else if let code = try values.decodeIfPresent(UInt16.self, forKey: .closed) {
      let reason = try values.decodeIfPresent(String.self, forKey: .reason) ?? ""
      self = .closed(WebSocketClosure(.init(rawValue: code), reason: reason))
    } else {
      self = .fault(try values.decode(String.self, forKey: .fault))
    }
  }

  /// Encodes the event.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .sent(let body): try values.encode(body, forKey: .sent)
    case .received(let body): try values.encode(body, forKey: .received)
    case .closed(let closure):
      try values.encode(closure.code.rawValue, forKey: .closed)
      if !closure.reason.isEmpty { try values.encode(closure.reason, forKey: .reason) }
    case .fault(let word): try values.encode(word, forKey: .fault)
    }
  }

  /// The end of a connection, or nil if it is an end by this side, of which the cassette says nothing.
  init?(_ error: WebSocketError) {
    switch error {
    case .closed(let closure): self = .closed(closure)
    case .connection(let failure, let detail):
      guard let word = Recording.word(for: .connection(failure, detail: detail)) else { return nil }
      self = .fault(word)
    case .silent: self = .fault("silent")
    case .violation: self = .fault("violation")
    case .invalidPayload: self = .fault("invalidPayload")
    case .tooLarge: self = .fault("tooLarge")
    case .invalidClosure, .cancelled: return nil
    }
  }

  /// The error of a connection that ends with the event; nil for a message.
  func end(_ options: WebSocketOptions) -> WebSocketError? {
    switch self {
    case .sent, .received: nil
    case .closed(let closure): .closed(closure)
    case .fault("silent"): .silent
    case .fault("tooLarge"): .tooLarge(limit: options.maximumMessageSize)
    case .fault("violation"): .violation(reason: "replayed")
    case .fault("invalidPayload"): .invalidPayload(reason: "replayed")
    case .fault(let word):
      if case .connection(let failure, let detail) = Recording.error(for: word) {
        .connection(failure, detail: detail)
      } else {
        .violation(reason: "the cassette contains an unknown fault: \(word)")
      }
    }
  }
}

extension Recording.Body {
  /// The message: text is a text message, bytes are a binary one.
  var message: WebSocketMessage {
    switch self {
    case .text(let text): .text(text)
    case .bytes(let data): .binary(data)
    }
  }
}
