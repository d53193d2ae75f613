internal import FetchKit

/// A WebSocket whose server does what a cassette says.
///
/// A message is received once everything that was sent before it has been sent again. What is sent must be what was
/// sent, in order; it may be sent sooner than it was.
final class ReplayedSocket: SocketConnection {
  private struct State {
    /// What is left to receive, each with the number of messages that must have been sent before.
    var incoming: ArraySlice<(after: Int, event: Recording.SocketEvent)>
    let outgoing: [Recording.Body]
    var sentCount = 0
    var confirmedCount = 0
    /// Set when this side ends the connection, or sends what the cassette does not have.
    var end: WebSocketError?

    /// Whether the next call of `receive` does not have to wait.
    var isReady: Bool { end != nil || incoming.first.map { $0.after <= sentCount } ?? false }
  }

  let subprotocol: String?
  private let redaction: RecordingRedaction
  private let options: WebSocketOptions
  private let state: AsyncCondition<State>

  init(
    _ events: [Recording.SocketEvent], subprotocol: String?, _ options: WebSocketOptions,
    _ redaction: RecordingRedaction
  ) {
    var incoming: [(after: Int, event: Recording.SocketEvent)] = []
    var outgoing: [Recording.Body] = []
    for event in events {
      if case .sent(let body) = event { outgoing.append(body) } else { incoming.append((outgoing.count, event)) }
    }
    self.subprotocol = subprotocol
    self.redaction = redaction
    self.options = options
    state = AsyncCondition(State(incoming: incoming[...], outgoing: outgoing))
  }

  var confirmedCount: Int { state.change(\.confirmedCount) }
  var end: WebSocketError? { state.change(\.end) }

  func receive() async throws(WebSocketError) -> WebSocketMessage {
    await state.wait { $0.isReady }
    return try state.change { state in
      Result { () throws(WebSocketError) in
        guard let next = state.incoming.first, next.after <= state.sentCount else { throw state.end ?? .cancelled }
        if let end = next.event.end(options) { throw end }
        _ = state.incoming.popFirst()
        guard case .received(let body) = next.event else { throw .cancelled }
        return body.message
      }
    }.get()
  }

  func enqueue(_ message: WebSocketMessage) throws(WebSocketError) -> Int {
    try state.change { state in
      Result { () throws(WebSocketError) in
        if let end = state.end { throw end }
        let count = state.sentCount
        guard count < state.outgoing.count, state.outgoing[count] == redaction.recorded(message) else {
          // The server may have ended the connection before it could be sent.
          if count == state.outgoing.count, let end = state.incoming.last?.event.end(options) { throw end }
          let end = WebSocketError.violation(
            reason: "message \(count + 1) of this side is not the one that the cassette has, or it has none")
          state.end = end
          throw end
        }
        state.sentCount = count + 1
        return count + 1
      }
    }.get()
  }

  func waitForRoom() async {}

  func ping() async throws(WebSocketError) {
    try state.change { state in
      Result { () throws(WebSocketError) in
        if let end = state.end { throw end }
        if let next = state.incoming.first, next.after <= state.sentCount, let end = next.event.end(options) {
          throw end
        }
        state.confirmedCount = state.sentCount
      }
    }.get()
  }

  func close(_ closure: WebSocketClosure) async throws(WebSocketError) {
    guard closure.isSendable else { throw .invalidClosure }
    state.change { if $0.end == nil { $0.end = .closed(closure) } }
  }

  func cancel() { state.change { if $0.end == nil { $0.end = .cancelled } } }
}
