/// One connection of a ``WebSocket``, while it is being prepared.
public final class WebSocketLink: Sendable {
  let connection: any SocketConnection
  /// Messages that were received and left for the sequence, and their bytes.
  private let queue = Lock((messages: FIFO<WebSocketMessage>(), bytes: 0))
  private let permit: Permit?
  private let limit: Int
  /// What is not confirmed, until the connection is used, and whether the app has read it; and the number of messages
  /// that have prepared the connection.
  private let preparation: Lock<(unconfirmed: WebSocketUnconfirmed, isRead: Bool, sentCount: Int)>

  init(_ connection: any SocketConnection, _ permit: Permit?, limit: Int, _ unconfirmed: WebSocketUnconfirmed) {
    self.connection = connection
    preparation = Lock((unconfirmed, false, 0))
    self.permit = permit
    self.limit = limit
  }

  deinit { permit?.release() }

  /// Lets another socket open in place of this one, which has been closed.
  func releasePermit() { permit?.release() }

  /// The subprotocol that the server chose, or nil.
  public var subprotocol: String? { connection.subprotocol }

  /// What was sent on earlier connections and is not confirmed. If your server recognizes messages that it has already
  /// processed, send these again, in order.
  ///
  /// Once you have read this property, the gap before this connection does not contain them. They stay unconfirmed
  /// until a ping on this connection is answered, or until ``WebSocket/confirm(through:)``. If this connection is lost
  /// before, the next one, or its gap, has them again.
  public var unconfirmed: WebSocketUnconfirmed {
    preparation.withLock { preparation in
      preparation.isRead = true
      return preparation.unconfirmed
    }
  }

  /// Releases what is not confirmed. Returns whether the app has read it, and how many messages it has sent.
  func endPreparation() -> (isSettled: Bool, sentCount: Int) {
    preparation.withLock { preparation in
      preparation.unconfirmed = WebSocketUnconfirmed()
      return (preparation.isRead, preparation.sentCount)
    }
  }

  /// Sends a message. It does not count as unconfirmed later.
  public func send(_ message: WebSocketMessage) async throws(WebSocketError) {
    let count = try connection.enqueue(message)
    preparation.withLock { $0.sentCount = max($0.sentCount, count) }
    await connection.waitForRoom()
  }

  /// Returns the next message that the function accepts. The ones before stay for the sequence.
  ///
  /// - Throws: What the function throws, and ``WebSocketError``: ``WebSocketError/tooLarge(limit:)`` if more than
  ///   ``WebSocketOptions/receiveBuffer`` bytes stay for the sequence.
  public func receive(
    where accepts: @Sendable (WebSocketMessage) throws -> Bool = { _ in true }
  ) async throws -> WebSocketMessage {
    while true {
      let message = try await connection.receive()
      do {
        if try accepts(message) { return message }
      } catch {
        leave(message)
        throw error
      }
      guard leave(message) <= limit else { throw WebSocketError.tooLarge(limit: limit) }
    }
  }

  /// Returns how many bytes have been left.
  @discardableResult
  private func leave(_ message: WebSocketMessage) -> Int {
    queue.withLock { queue in
      queue.messages.append(message)
      queue.bytes += message.byteCount + 64  // so that empty messages count too
      return queue.bytes
    }
  }

  /// Returns the next message for the sequence.
  func next() async throws(WebSocketError) -> WebSocketMessage {
    if let message = queue.withLock({ $0.messages.popFirst() }) { return message }
    return try await connection.receive()
  }
}
