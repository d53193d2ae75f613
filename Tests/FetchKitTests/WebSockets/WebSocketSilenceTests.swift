#if os(Linux)
import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// Servers that stop, each in another phase of a connection, on a manual clock.
@Suite(.timeLimit(.minutes(2))) struct WebSocketSilenceTests {
  private let server: LoopbackServer
  private let clock = ManualClock()
  private let client: FetchClient

  init() throws {
    server = try LoopbackServer()
    let transport = try CurlTransport { $0.proxy = .none }
    client = FetchClient { [clock] in
      $0.transport = transport
      $0.clock = clock
      $0.random = { 0 }
      $0.timeouts = Timeouts(connect: .seconds(10), idle: .seconds(30), total: nil)
    }
  }

  private func socket(_ url: String) -> WebSocket {
    client.webSocket(url) { $0.reconnection = .never }
  }

  /// Runs with a clock that advances while the server is silent.
  private func failure(
    silentWhen isSilent: @escaping @Sendable () -> Bool,
    _ work: @escaping @Sendable () async throws(FetchError) -> Void
  ) async -> FetchError? {
    let driver = Task { [clock] in
      while !Task.isCancelled {
        await clock.sleepers(atLeast: 1)
        if isSilent() { clock.advance(by: .seconds(1)) }
        await Task.yield()
      }
    }
    defer { driver.cancel() }
    do throws(FetchError) {
      try await work()
      return nil
    } catch {
      return error
    }
  }

  @Test func `a peer that never speaks TLS ends with the connect timeout`() async throws {
    let isConnected = Lock(false)
    let peer = try RawPeer { connection in
      while connection.read(count: 1) != nil { isConnected.withLock { $0 = true } }
    }
    let socket = socket("wss://127.0.0.1:\(peer.port)/")
    let error = await failure(silentWhen: { isConnected.withLock(\.self) }) { () throws(FetchError) in
      try await socket.connect()
    }
    guard case .timeout(.connect, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: webso"])
  func `a server that is silent in the handshake ends with the idle timeout`(answer: String) async throws {
    server.on("/") { _ in .bytes(.send(answer), .hold(LoopbackGate())) }
    let socket = socket("ws://127.0.0.1:\(server.port)/")
    let error = await failure(silentWhen: { [server] in !server.requests.isEmpty }) { () throws(FetchError) in
      try await socket.connect()
    }
    guard case .timeout(.idle, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["header", "payload", "between fragments"])
  func `a server that is silent within a message is noticed by a ping`(phase: String) async throws {
    server.on("/") { _ in
      .webSocket { socket in
        socket.answersControlFrames = false
        let frame = LoopbackSocket.frame(1, isFinal: phase != "between fragments", Data("cut off".utf8))
        socket.send("whole")
        socket.send(bytes: frame.prefix(phase == "header" ? 1 : phase == "payload" ? 5 : 100))
        await socket.waitForEnd()
      }
    }
    let seen = Lock<[WebSocketEvent]>([])
    let socket = socket("ws://127.0.0.1:\(server.port)/")
    let error = await failure(silentWhen: { !seen.withLock(\.isEmpty) }) { () throws(FetchError) in
      for try await event in socket { seen.withLock { $0.append(event) } }
    }
    guard case .socket(.silent, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(seen.withLock(\.self) == [.message("whole")])
  }

  @Test func `a server that never falls silent is asked whether messages have arrived`() async throws {
    server.on("/") { _ in
      .webSocket { socket in
        _ = try await socket.receive()
        socket.send("tick")
        await socket.waitForPings(1)
      }
    }
    let socket = client.webSocket("ws://127.0.0.1:\(server.port)/") { $0.options.pingInterval = .seconds(77) }
    try await socket.connect()
    #expect(await eventually { clock.sleeps.contains(.seconds(77)) })
    try await socket.send("hello")
    var events = socket.makeAsyncIterator()
    #expect(try await events.next() == .message("tick"))
    clock.advance(by: .seconds(77))
    #expect(try await events.next() == nil)
  }

  @Test func `a server that does not answer a closure is not waited for`() async throws {
    server.on("/") { _ in
      .webSocket { socket in
        socket.answersControlFrames = false
        await socket.waitForEnd()
      }
    }
    let socket = socket("ws://127.0.0.1:\(server.port)/")
    try await socket.connect()
    let error = await failure(silentWhen: { [clock] in clock.sleeps.contains(.seconds(5)) }) { () throws(FetchError) in
      try await socket.close()
    }
    #expect(error == nil)
    #expect(clock.sleeps.contains(.seconds(5)))
    await server.allConnectionsClosed()
    #expect(try await socket.reduce(into: []) { $0.append($1) } == [])
  }

  @Test func `a server that is silent to a resumption fails it, and another connection is tried`() async throws {
    let connections = Lock(0)
    server.on("/") { [clock] _ in
      let number = connections.withLock { count in
        count += 1
        return count
      }
      return .webSocket { socket in
        socket.answersControlFrames = false
        _ = try await socket.receive()
        if number == 2 {
          async let end: Void = socket.waitForEnd()
          let driver = Task {
            while !Task.isCancelled {
              await clock.sleepers(atLeast: 1)
              clock.advance(by: .seconds(1))
              await Task.yield()
            }
          }
          await end
          return driver.cancel()
        }
        socket.send("ready")
        if number == 1 { return socket.close(WebSocketClosure(.serviceRestart)) }
        socket.send("last")
        socket.close()
      }
    }
    let socket = client.webSocket("ws://127.0.0.1:\(server.port)/") {
      $0.resume = { link, _ in
        try await link.send("hello")
        _ = try await link.receive { $0 == "ready" }
        return .resumed
      }
    }
    #expect(try await socket.reduce(into: []) { $0.append($1) } == [.message("last")])
    // The clock may have gone too far for the next ones.
    #expect(connections.withLock(\.self) >= 3)
  }
}
#endif
