/// Why an open WebSocket ended, or a message could not be sent. The set of cases is closed and the same for every
/// transport.
///
/// Descriptions contain no messages. The reason of a closure is the server's text.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum WebSocketError: Error, Sendable, Hashable {
  /// The server closed the connection, or answered the closure by this side.
  case closed(WebSocketClosure)
  /// The connection ended without a closure, as after code 1006 of other libraries. Messages of the server can have
  /// been lost, and so can those of this side.
  case connection(ConnectionFailure, detail: String)
  /// The server was silent for as long as ``WebSocketOptions/pingTimeout`` after a ping.
  case silent
  /// The server violated the protocol (RFC 6455, RFC 7692). This side has closed with code 1002.
  case violation(reason: String)
  /// A text of the server is not UTF-8, or a message cannot be decompressed. This side has closed with code 1007.
  case invalidPayload(reason: String)
  /// A message of the server is larger than ``WebSocketOptions/maximumMessageSize``. This side has closed with code
  /// 1009.
  case tooLarge(limit: Int)
  /// The closure cannot be sent: its code is reserved, or its reason has more than 123 bytes.
  case invalidClosure
  /// The waiting task was cancelled, or the client was shut down.
  case cancelled
}

extension WebSocketError: CustomStringConvertible {
  /// A one-sentence description for logs.
  public var description: String {
    switch self {
    case .closed(let closure):
      "closed with code \(closure.code.rawValue)" + (closure.reason.isEmpty ? "" : " (\(closure.reason))")
    case .connection(let failure, let detail): detail.isEmpty ? failure.text : "\(failure.text) (\(detail))"
    case .silent: "the server did not answer a ping"
    case .violation(let reason): "the server violated the protocol: \(reason)"
    case .invalidPayload(let reason): "the server sent an invalid message: \(reason)"
    case .tooLarge(let limit): "the message is larger than \(limit) bytes"
    case .invalidClosure: "the code or the reason of the closure cannot be sent"
    case .cancelled: "cancelled"
    }
  }
}

extension WebSocketError {
  /// Whether another connection may succeed.
  var isTransient: Bool {
    switch self {
    case .closed(let closure): [.goingAway, .internalError, .serviceRestart, .tryAgainLater].contains(closure.code)
    case .connection(let failure, _): failure == .lost || failure.isTransientBeforeSending
    case .silent: true
    case .violation, .invalidPayload, .tooLarge, .invalidClosure, .cancelled: false
    }
  }
}
