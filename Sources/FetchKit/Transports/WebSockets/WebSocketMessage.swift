public import Foundation

/// A message of a WebSocket (RFC 6455 §5.6).
public enum WebSocketMessage: Sendable, Hashable {
  /// Text, which is sent as UTF-8.
  case text(String)
  /// Bytes.
  case binary(Data)
}

extension WebSocketMessage: ExpressibleByStringLiteral {
  /// Creates a text message.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension WebSocketMessage {
  /// The bytes of the message, without framing and before compression.
  public var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let data): data.count
    }
  }

  /// The message as bytes, for example to decode JSON. Text is encoded as UTF-8.
  public var data: Data {
    switch self {
    case .text(let text): Data(text.utf8)
    case .binary(let data): data
    }
  }
}
