internal import FetchKit

/// A WebSocket of which each message that is sent or read is recorded.
final class RecordedSocket: SocketConnection {
  private let connection: any SocketConnection
  private let record: @Sendable (Recording.SocketEvent) -> Void
  private let redaction: RecordingRedaction
  /// Taken to send and to record, so that no answer is recorded before its question. True once there is an end, or once
  /// this side ends the connection, of which the cassette says nothing.
  private let hasEnded = Lock(false)

  init(
    _ connection: any SocketConnection, _ redaction: RecordingRedaction,
    _ record: @escaping @Sendable (Recording.SocketEvent) -> Void
  ) {
    self.connection = connection
    self.redaction = redaction
    self.record = record
  }

  var subprotocol: String? { connection.subprotocol }
  var confirmedCount: Int { connection.confirmedCount }
  var end: WebSocketError? { connection.end }

  func receive() async throws(WebSocketError) -> WebSocketMessage {
    do throws(WebSocketError) {
      let message = try await connection.receive()
      hasEnded.withLock { _ in record(.received(redaction.recorded(message))) }
      return message
    } catch {
      if let event = Recording.SocketEvent(error) {
        hasEnded.withLock { hasEnded in
          if !hasEnded { record(event) }
          hasEnded = true
        }
      }
      throw error
    }
  }

  func enqueue(_ message: WebSocketMessage) throws(WebSocketError) -> Int {
    try hasEnded.withLock { _ in
      Result { () throws(WebSocketError) in
        let count = try connection.enqueue(message)
        record(.sent(redaction.recorded(message)))
        return count
      }
    }.get()
  }

  func waitForRoom() async { await connection.waitForRoom() }
  func ping() async throws(WebSocketError) { try await connection.ping() }

  func close(_ closure: WebSocketClosure) async throws(WebSocketError) {
    if closure.isSendable { hasEnded.withLock { $0 = true } }
    try await connection.close(closure)
  }

  func cancel() {
    hasEnded.withLock { $0 = true }
    connection.cancel()
  }
}
