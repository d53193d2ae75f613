internal import FetchKit

/// A WebSocket of which each message that is sent or read is recorded.
final class RecordedSocket: SocketConnection {
  private let connection: any SocketConnection
  private let record: @Sendable (Recording.SocketEvent) -> Void
  private let redaction: RecordingRedaction
  private let hasEnded = Lock(false)
  /// Taken to send, so that messages are recorded in the order in which they are sent.
  private let sending = Lock(())

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

  func receive() async throws(WebSocketError) -> WebSocketMessage {
    do throws(WebSocketError) {
      let message = try await connection.receive()
      record(.received(redaction.recorded(message)))
      return message
    } catch {
      if let event = Recording.SocketEvent(error) {
        let isFirst = hasEnded.withLock { hasEnded in
          defer { hasEnded = true }
          return !hasEnded
        }
        if isFirst { record(event) }
      }
      throw error
    }
  }

  func enqueue(_ message: WebSocketMessage) throws(WebSocketError) -> Int {
    try sending.withLock { _ in
      Result { () throws(WebSocketError) in
        let count = try connection.enqueue(message)
        record(.sent(redaction.recorded(message)))
        return count
      }
    }.get()
  }

  func waitForRoom() async { await connection.waitForRoom() }
  func ping() async throws(WebSocketError) { try await connection.ping() }
  func close(_ closure: WebSocketClosure) async throws(WebSocketError) { try await connection.close(closure) }
  func cancel() { connection.cancel() }
}
