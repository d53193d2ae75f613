public import Foundation

/// A transport that also opens WebSockets.
nonisolated public protocol SocketTransport: Transport {
  /// Sends the request of a WebSocket and returns the connection, or the response with which the server refuses it.
  ///
  /// The request is a GET with the scheme `http` or `https`. The transport adds the fields of the handshake. It follows
  /// no redirects: a redirect is a refusal.
  ///
  /// - Throws: The ``TransportError`` that ended the handshake. A response with status code 101 that breaks the rules
  ///   of RFC 6455 §4.2.2 is malformed.
  func openSocket(
    _ request: TransportRequest, _ options: WebSocketOptions
  ) async throws(TransportError) -> SocketResponse
}

/// The answer to the handshake of a WebSocket.
public struct SocketResponse: Sendable {
  /// The status, which is 101 if there is a connection, and the header fields.
  public var head: ResponseHead
  /// The body of a refusal.
  public var body: Data
  /// The open connection, or nil if the server refuses it.
  public var connection: (any SocketConnection)?

  /// Creates an answer.
  public init(head: ResponseHead, body: Data = Data(), connection: (any SocketConnection)? = nil) {
    self.head = head
    self.body = body
    self.connection = connection
  }
}

/// An open WebSocket, which transfers whole messages.
///
/// All methods can be called from any task. The connection answers pings, and it ends when it is released.
nonisolated public protocol SocketConnection: AnyObject, Sendable {
  /// The subprotocol that the server chose, or nil.
  var subprotocol: String? { get }

  /// Why nothing more can be sent; nil while the connection is open.
  var end: WebSocketError? { get }

  /// Returns the next message. One task at a time.
  ///
  /// Messages that were received before the connection ended are returned first. If the waiting task is cancelled, the
  /// connection stays open, and no message is lost.
  ///
  /// - Throws: The error that ended the connection, in every further call.
  func receive() async throws(WebSocketError) -> WebSocketMessage

  /// Accepts a message, which is sent after those of earlier calls.
  ///
  /// - Returns: The number of messages accepted so far.
  /// - Throws: The error that ended the connection. The message is then not sent.
  @discardableResult
  func enqueue(_ message: WebSocketMessage) throws(WebSocketError) -> Int

  /// Returns when the messages that wait to be sent leave room for others, or when the connection has ended.
  func waitForRoom() async

  /// Sends a ping and returns when the answer has come. Whatever was accepted before has then arrived, which does not
  /// mean that the server has processed it.
  func ping() async throws(WebSocketError)

  /// The number of messages that were accepted before the last ping that the server has answered.
  var confirmedCount: Int { get }

  /// Closes the connection: sends the closure, waits for the server's and for the end of the connection. Without an
  /// answer within ``WebSocketOptions/closeTimeout``, the connection is cut.
  ///
  /// - Throws: ``WebSocketError/invalidClosure``.
  func close(_ closure: WebSocketClosure) async throws(WebSocketError)

  /// Cuts the connection without a closure.
  func cancel()
}
