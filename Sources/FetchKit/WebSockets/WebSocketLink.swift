/// One connection of a ``WebSocket``, while it is being prepared.
public final class WebSocketLink: Sendable {
  let connection: any SocketConnection
  /// Messages that were received and left for the sequence.
  private let queue = Lock(FIFO<WebSocketMessage>())
  private let permit: Permit?

  init(_ connection: any SocketConnection, _ permit: Permit?) {
    self.connection = connection
    self.permit = permit
  }

  deinit { permit?.release() }

  /// Lets another socket open in place of this one, which has been closed.
  func releasePermit() { permit?.release() }

  /// The subprotocol that the server chose, or nil.
  public var subprotocol: String? { connection.subprotocol }

  /// Sends a message. It does not count as unconfirmed later.
  public func send(_ message: WebSocketMessage) async throws(WebSocketError) {
    try connection.enqueue(message)
    await connection.waitForRoom()
  }

  /// Returns the next message that the function accepts. The ones before stay for the sequence.
  public func receive(
    where accepts: @Sendable (WebSocketMessage) throws -> Bool = { _ in true }
  ) async throws -> WebSocketMessage {
    while true {
      let message = try await connection.receive()
      do {
        if try accepts(message) { return message }
      } catch {
        queue.withLock { $0.append(message) }
        throw error
      }
      queue.withLock { $0.append(message) }
    }
  }

  /// Returns the next message for the sequence.
  func next() async throws(WebSocketError) -> WebSocketMessage {
    if let message = queue.withLock({ $0.popFirst() }) { return message }
    return try await connection.receive()
  }
}
