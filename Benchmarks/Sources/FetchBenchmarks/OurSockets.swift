import BenchmarkSupport
import FetchKit
import FetchKitTesting
import Foundation

/// Sockets of one client, which stay open from one round to the next.
final class OurSockets: Sendable {
  private let client: FetchClient
  private let sockets: [WebSocket]

  init(_ count: Int, path: String = "/echo") async throws {
    let url = try SocketServer.url(path)
    let transport = try CurlTransport()
    let client = FetchClient {
      $0.transport = transport
      $0.concurrency.sockets = count
      $0.concurrency.socketsPerHost = count
    }
    self.client = client
    let sockets = (0..<count).map { _ in client.webSocket(url) { $0.options.pingInterval = nil } }
    self.sockets = sockets
    for start in stride(from: 0, to: count, by: 16) {
      try await withThrowingTaskGroup { group in
        for socket in sockets[start..<min(start + 16, count)] { group.addTask { try await socket.connect() } }
        try await group.waitForAll()
      }
    }
  }

  func shutdown() async { await client.shutdown(within: .zero) }

  /// Sends a message on each of the first `active` sockets, waits for the answer, and so on, `count` times each.
  func roundTrips(_ count: Int, active: Int = .max) async throws {
    let message = WebSocketMessage.binary(Data(count: Sockets.smallSize))
    try await withThrowingTaskGroup { group in
      for socket in sockets.prefix(active) {
        group.addTask {
          var events = socket.makeAsyncIterator()
          for _ in 0..<count {
            try await socket.send(message)
            guard case .message(let answer)? = try await events.next(), answer.byteCount == Sockets.smallSize else {
              throw WrongResult("no answer")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Asks for so many messages, and returns how many bytes came.
  func receive(_ count: Int) async throws -> Int {
    try await sockets[0].send(.text("\(count)"))
    var bytes = 0
    var events = sockets[0].makeAsyncIterator()
    for _ in 0..<count {
      guard case .message(let message)? = try await events.next() else { throw WrongResult("the server has closed") }
      bytes += message.byteCount
    }
    return bytes
  }

  /// Sends so many messages, and returns when the server has got them.
  func send(_ count: Int, size: Int) async throws {
    let message = WebSocketMessage.binary(Data(count: size))
    for _ in 0..<count { try await sockets[0].send(message) }
    try await sockets[0].send("done")
    var events = sockets[0].makeAsyncIterator()
    guard case .message? = try await events.next() else { throw WrongResult("no answer") }
  }
}
