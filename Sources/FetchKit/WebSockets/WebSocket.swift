/// A WebSocket that reconnects, and that says what a lost connection may have swallowed (RFC 6455).
///
/// ```swift
/// let socket = client.webSocket("wss://chat.example.org/room/1")
/// try await socket.send("hello")
/// for try await event in socket {
///   switch event {
///   case .message(let message): print(message)
///   case .gap: break  // messages may be missing here
///   }
/// }
/// ```
///
/// - The connection is opened by the first message that is sent or requested, or by ``connect()``. If the first
///   connection cannot be opened, the error is thrown.
/// - When the reader or a sender reaches the end of a lost connection, another one is opened as the
///   ``ReconnectionPolicy`` says, and ``WebSocketConfiguration/resume`` prepares it. Unless it returns
///   ``WebSocketResumption/resumed``, the sequence delivers a ``WebSocketEvent/gap(since:unconfirmed:)`` first.
///   Nothing is sent again on its own.
/// - The sequence ends after a closure with code 1000 or without a code, and after ``close(_:)``. With other codes it
///   throws ``FetchError/socket(_:_:)``, unless the policy reconnects.
/// - Received messages wait for the reader, up to ``WebSocketOptions/receiveBuffer`` bytes. Then nothing more is read,
///   pings included: a server that pings may close a connection whose reader is slow.
/// - Releasing the socket and its iterators cuts the connection, and so do ``FetchClient/cancelAll()`` and
///   ``FetchClient/shutdown(within:)``. Cancelling a task that waits for a message, or for room to send, only ends the
///   wait.
///
/// One task at a time reads; any number of tasks send. A second iterator continues with the next event.
public final class WebSocket: AsyncSequence, Sendable {
  /// The error type of the iteration.
  public typealias Failure = FetchError

  private let session: Result<WebSocketSession, FetchError>

  init(_ session: Result<WebSocketSession, FetchError>) {
    self.session = session
  }

  deinit { try? session.get().cancel() }

  /// Opens the connection, if it is not open, or waits until it is open again.
  ///
  /// - Returns: The subprotocol that the server chose, or nil.
  /// - Throws: The error that ended the socket. If it was closed normally, ``WebSocketError/closed(_:)``.
  @discardableResult
  public func connect() async throws(FetchError) -> String? {
    try await session.get().usableLink().subprotocol
  }

  /// Sends a message, if necessary once the connection is open again, and returns when it is on its way or waits in a
  /// buffer that is not full (``WebSocketOptions/sendBuffer``).
  ///
  /// If the connection is lost later, the message may not have arrived; see ``WebSocketUnconfirmed``.
  ///
  /// - Returns: What ``confirm(through:)`` takes.
  /// - Throws: The error that ended the socket. The message was then not sent.
  @discardableResult
  public func send(_ message: WebSocketMessage) async throws(FetchError) -> WebSocketReceipt {
    try await session.get().send(message)
  }

  /// Records that the server has processed this message and all before it, because it has answered. From the first call
  /// on, answered pings no longer count as a confirmation.
  public func confirm(through receipt: WebSocketReceipt) {
    try? session.get().confirm(through: receipt)
  }

  /// Sends a ping and returns when the server has answered: what was sent before on this connection has arrived.
  ///
  /// - Throws: ``FetchError/socket(_:_:)`` if the connection is lost in the meantime, also if another one will be
  ///   opened.
  public func ping() async throws(FetchError) {
    try await session.get().ping()
  }

  /// Closes the socket. Returns when the server has answered, or after ``WebSocketOptions/closeTimeout``.
  ///
  /// What has been received can still be read. Messages that arrive while more than
  /// ``WebSocketOptions/receiveBuffer`` bytes wait are dropped.
  ///
  /// - Throws: ``FetchError/socket(_:_:)`` with ``WebSocketError/invalidClosure``.
  public func close(_ closure: WebSocketClosure = WebSocketClosure()) async throws(FetchError) {
    try await session.get().close(closure)
  }

  /// Creates an iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: self) }

  /// Iterates over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let socket: WebSocket

    /// Waits for the next event; nil after a normal end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> WebSocketEvent? {
      try await socket.session.get().next()
    }
  }
}
