internal import Foundation

/// RFC 6455 over a pipe.
final class WebSocketConnection: SocketConnection {
  let subprotocol: String?
  private let core: WebSocketCore
  private let tasks: [Task<Void, Never>]

  /// - Parameter first: Bytes that arrived with the response to the handshake.
  init(
    _ pipe: any SocketPipe, _ first: Data, _ agreement: WebSocketHandshake.Agreement, _ options: WebSocketOptions
  ) {
    subprotocol = agreement.subprotocol
    let core = WebSocketCore(pipe, options, agreement.deflate)
    self.core = core
    let pings = Task { await core.keepAlive() }
    // Decompressing would hold up the other connections.
    let reads = Task(executorPreference: agreement.deflate == nil ? pipe.executor : nil) {
      await core.run(first, WebSocketReceiver(limit: options.maximumMessageSize, agreement.deflate))
      pings.cancel()
    }
    tasks = [pings, reads]
  }

  deinit {
    // A closure or violation that has been read is still answered.
    guard core.release() else { return }
    for task in tasks { task.cancel() }
  }

  var end: WebSocketError? { core.state.change(\.sendingEnd) }
  func receive() async throws(WebSocketError) -> WebSocketMessage { try await core.receive() }
  func enqueue(_ message: WebSocketMessage) throws(WebSocketError) -> Int { try core.enqueue(message) }
  func waitForRoom() async { await core.waitForRoom() }
  var confirmedCount: Int { core.state.change(\.confirmedCount) }
  func ping() async throws(WebSocketError) { try await core.ping() }
  func close(_ closure: WebSocketClosure) async throws(WebSocketError) { try await core.close(closure) }
  func cancel() { core.cancel() }
}
