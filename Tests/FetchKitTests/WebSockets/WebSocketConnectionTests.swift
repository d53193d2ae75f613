import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit
@testable import FetchKitTesting

/// Connections of a client to a loopback server, without reconnection.
@Suite(.timeLimit(.minutes(2))) struct WebSocketConnectionTests {
  private let server: LoopbackServer
  private let client: FetchClient

  init() throws {
    server = try LoopbackServer()
    let transport = try CurlTransport { $0.proxy = .none }
    client = FetchClient { $0.transport = transport }
  }

  private func url(_ path: String) -> String { "ws://127.0.0.1:\(server.port)/\(path)" }

  private func socket(_ path: String, _ configure: (inout WebSocketConfiguration) -> Void = { _ in }) -> WebSocket {
    client.webSocket(url(path)) {
      $0.reconnection = .never
      configure(&$0)
    }
  }

  private static let echo: LoopbackResponse = .webSocket { socket in
    while let message = try await socket.receive() { socket.send(message) }
  }

  @Test func `messages of all sizes come back in order, and the server's closure ends the sequence`() async throws {
    let sizes = [0, 1, 125, 126, 65_535, 65_536, 3_000_000]
    server.on("/echo") { _ in
      .webSocket { socket in
        for _ in 0..<2 * sizes.count { if let message = try await socket.receive() { socket.send(message) } }
      }
    }
    let socket = socket("echo")
    let sent = sizes.flatMap { size -> [WebSocketMessage] in
      [.text(String(repeating: "ü", count: size / 2)), .binary(Data((0..<size).map { UInt8(truncatingIfNeeded: $0) }))]
    }
    async let received = socket.reduce(into: [WebSocketEvent]()) { $0.append($1) }
    for message in sent { try await socket.send(message) }
    #expect(try await received == sent.map { .message($0) })
    await #expect(throws: FetchError.self) { try await socket.send("late") }
  }

  @Test(arguments: [0, -1, Int.min]) func `buffers without room slow messages down and lose none`(size: Int)
    async throws
  {
    server.on("/echo", Self.echo)
    let socket = socket("echo") {
      ($0.options.receiveBuffer, $0.options.sendBuffer, $0.unconfirmedBytes) = (size, size, size)
    }
    var events = socket.makeAsyncIterator()
    for count in [0, 1, 100_000] {
      try await socket.send(.binary(Data(count: count)))
      #expect(try await events.next() == .message(.binary(Data(count: count))))
    }
  }

  @Test func `the request has the client's fields, and the server chooses a subprotocol`() async throws {
    server.on("/chat") { _ in .webSocket(subprotocol: "v1") { await $0.waitForEnd() } }
    let socket = client.webSocket(HTTPRequest(.get, URL(string: url("chat?room=1"))!, headers: ["X-Room": "1"])) {
      $0.options.subprotocols = ["v2", "v1"]
    }
    #expect(try await socket.connect() == "v1")
    let request = try #require(server.requests.first)
    #expect(request.headers["X-Room"] == "1")
    #expect(request.headers["User-Agent"]?.hasPrefix("Larder/") == true)
    #expect(request.headers["Sec-WebSocket-Protocol"] == "v2, v1")
    try await socket.close(WebSocketClosure(.init(rawValue: 4001), reason: "done"))
    var iterator = socket.makeAsyncIterator()
    #expect(try await iterator.next() == nil)
  }

  @Test(arguments: [401, 302, 503, 200]) func `a refusal is the error of its status code`(status: Int) async throws {
    server.on("/no", .status(status, headers: ["Location": "/echo"], "because"))
    server.on("/echo") { _ in Self.echo }
    let socket = socket("no")
    await #expect {
      try await socket.connect()
    } throws: {
      guard case FetchError.status(let failure, _) = $0 else { return false }
      return failure.status == status && String(decoding: failure.body, as: UTF8.self) == "because"
    }
    #expect(server.requests.count == 1)
  }

  @Test func `credentials are renewed once after a 401`() async throws {
    server.on("/echo") { request in
      request.headers["Authorization"] == "Bearer new" ? Self.echo : .status(401)
    }
    let refreshes = Lock(0)
    let authenticator = Authenticator<String>(
      current: "old", apply: { $1.headers["Authorization"] = "Bearer \($0)" },
      refresh: { _ in
        refreshes.withLock { $0 += 1 }
        return "new"
      })
    let transport = try CurlTransport { $0.proxy = .none }
    let client = FetchClient {
      $0.transport = transport
      $0.interceptors = [authenticator]
    }
    let socket = client.webSocket(url("echo"))
    try await socket.send("hello")
    var iterator = socket.makeAsyncIterator()
    #expect(try await iterator.next() == .message("hello"))
    #expect(refreshes.withLock(\.self) == 1)
    #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
  }

  @Test func `a server without WebSockets and a refused connection have their errors`() async throws {
    server.on(
      "/plain", .bytes(.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")))
    await #expect(throws: FetchError.self) { try await socket("plain").connect() }
    let closed = try ClosedPort()
    await #expect {
      try await client.webSocket(closed.url).connect()
    } throws: {
      if case FetchError.connection(.refused, _) = $0 { true } else { false }
    }
    await #expect {
      try await FetchClient { $0.transport = StubTransport() }.webSocket(url("plain")).connect()
    } throws: {
      if case FetchError.invalidRequest = $0 { true } else { false }
    }
  }

  @Test func `the first frames may come in the segment of the response`() async throws {
    server.on("/early") { request in
      let head = LoopbackResponse.socketHead(to: request, nil, [:])
      return .bytes(
        .send(Data(head.utf8) + LoopbackSocket.frame(1, Data("first".utf8)) + LoopbackSocket.frame(8, Data([3, 232]))))
    }
    for _ in 0..<50 {
      #expect(try await socket("early").reduce(into: []) { $0.append($1) } == [.message("first")])
    }
  }

  @Test func `pings of the server are answered, and answered pings confirm`() async throws {
    let pongs = Signal()
    server.on("/ping") { _ in
      .webSocket { socket in
        socket.ping(Data("are you there".utf8))
        _ = try await socket.receive()
        #expect(socket.pongs == [Data("are you there".utf8)])
        pongs.open()
        await socket.waitForEnd()
      }
    }
    let socket = socket("ping")
    try await socket.ping()
    try await socket.send("now")
    await pongs.wait()
    try await socket.close()
  }

  @Test func `every cut of the handshake and of a message is one error, and no message is invented`() async throws {
    let bytes = Lock(0)
    let way = Lock(LoopbackResponse.Break.close)
    let wholeHead = Lock(0)
    server.on("/cut") { request in
      let head = Data(LoopbackResponse.socketHead(to: request, nil, [:]).utf8)
      wholeHead.withLock { $0 = head.count }
      let all = head + LoopbackSocket.frame(1, Data("whole".utf8)) + LoopbackSocket.frame(1, Data("cut off".utf8))
      return .bytes(.send(all.prefix(bytes.withLock(\.self))), .end(way.withLock(\.self)))
    }
    for ending in [LoopbackResponse.Break.close, .reset, .halfClose] {
      way.withLock { $0 = ending }
      for count in 0..<150 {
        bytes.withLock { $0 = count }
        var events: [WebSocketEvent] = []
        do throws(FetchError) {
          for try await event in socket("cut") { events.append(event) }
          Issue.record("the sequence ended normally after \(count) bytes")
        } catch {
          switch error {
          case .connection(.lost, _), .socket(.connection(.lost, _), _), .malformedResponse: break
          default: Issue.record("\(count) bytes, \(ending): \(error)")
          }
        }
        let head = wholeHead.withLock(\.self)
        let isReset = ending == .reset  // it may overtake what was sent before
        let all: [WebSocketEvent] = [.message("whole"), .message("cut off")]
        let expected = all.prefix(count < head + 7 ? 0 : count < head + 16 ? 1 : 2)
        #expect(events == Array(expected) || isReset && expected.starts(with: events), "\(count) bytes, \(ending)")
      }
    }
  }

  @Test func `ten sockets and requests do not wait for each other at one connection per host`() async throws {
    server.on("/echo") { _ in Self.echo }
    server.on("/get", .text("x"))
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.connectionsPerHost = 1
    }
    let client = FetchClient { $0.transport = transport }
    let sockets = (0..<10).map { _ in client.webSocket(url("echo")) }
    for socket in sockets { try await socket.connect() }
    for round in 0..<30 {
      #expect(try await client.fetch("http://127.0.0.1:\(server.port)/get", .string) == "x")
      for socket in sockets {
        try await socket.send(.text("\(round)"))
        var iterator = socket.makeAsyncIterator()
        #expect(try await iterator.next() == .message(.text("\(round)")))
      }
    }
    #expect(server.openConnections == 11)
    for socket in sockets { try await socket.close() }
  }

  @Test func `a slow reader gets everything, and no more is read than its buffer holds`() async throws {
    var options = WebSocketOptions()
    options.receiveBuffer = 10_000
    options.pingInterval = nil
    let pipe = EndlessPipe(messages: 1000)
    let connection = WebSocketConnection(pipe, Data(), WebSocketHandshake.Agreement(), options)
    for number in 0..<1000 {
      #expect(try await connection.receive() == pipe.message)
      pipe.taken.withLock { $0 = number + 1 }
    }
    await #expect(throws: WebSocketError.self) { try await connection.receive() }
    #expect(pipe.mostAhead.withLock(\.self) <= 12)
  }

  @Test func `sending waits while the server does not read, and stops at cancellation`() async throws {
    let gate = Signal()
    server.on("/deaf") { request in
      .bytes(.send(LoopbackResponse.socketHead(to: request, nil, [:])), .end(.stall))
    }
    let socket = socket("deaf") { $0.options.sendBuffer = 64 << 10 }
    try await socket.connect()
    let sender = Task {
      var count = 0
      do {
        while true {
          try await socket.send(.binary(Data((0..<100_000).map { _ in UInt8.random(in: .min ... .max) })))
          count += 1
          if count == 1 { gate.open() }
        }
      } catch { return count }
    }
    await gate.wait()
    sender.cancel()
    #expect(await sender.value < 1000)
  }

  @Test func `a server that writes all before it reads is not waited for`() async throws {
    let message = Data(count: 200_000)
    server.on("/first") { _ in
      .webSocket { socket in
        for _ in 0..<100 { socket.send(.binary(message)) }
        for _ in 0..<50 { _ = try await socket.receive() }
      }
    }
    let socket = socket("first") { $0.options.sendBuffer = 64 << 10 }
    try await socket.connect()
    async let sent: Void = { for _ in 0..<50 { try await socket.send(.binary(message)) } }()
    #expect(try await socket.reduce(0) { count, _ in count + 1 } == 100)
    try await sent
  }

  @Test func `a silent server is noticed by a ping without an answer`() async throws {
    let clock = ManualClock()
    server.on("/silent") { _ in
      .webSocket { socket in
        socket.answersControlFrames = false
        await socket.waitForEnd()
      }
    }
    let transport = try CurlTransport { $0.proxy = .none }
    let client = FetchClient {
      $0.transport = transport
      $0.clock = clock
    }
    let socket = client.webSocket(url("silent")) { $0.reconnection = .never }
    try await socket.connect()
    let reader = Task { () -> FetchError? in
      do throws(FetchError) {
        for try await _ in socket {}
        return nil
      } catch { return error }
    }
    // Deadlines of the handshake may still sleep too.
    let driver = Task {
      while !Task.isCancelled {
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(15))
        await Task.yield()
      }
    }
    defer { driver.cancel() }
    guard case .socket(.silent, _)? = await reader.value else {
      Issue.record("\(String(describing: await reader.value))")
      return
    }
  }

  @Test func `a violation closes with its code after the messages before it`() async throws {
    let closures = Lock<[WebSocketClosure]>([])
    let done = Signal()
    server.on("/bad") { _ in
      .webSocket { socket in
        socket.send(bytes: LoopbackSocket.frame(1, Data("good".utf8)) + LoopbackSocket.frame(3, Data()))
        await socket.waitForEnd()
        closures.withLock { $0 += socket.closure.map { [$0] } ?? [] }
        done.open()
      }
    }
    let socket = socket("bad")
    var iterator = socket.makeAsyncIterator()
    #expect(try await iterator.next() == .message("good"))
    await #expect {
      try await iterator.next()
    } throws: {
      guard case FetchError.socket(.violation, _) = $0 else { return false }
      return true
    }
    await done.wait()
    #expect(closures.withLock(\.self) == [WebSocketClosure(.protocolError)])
  }

  @Test func `cancelling all, shutting down and releasing end a socket`() async throws {
    server.on("/echo") { _ in Self.echo }
    let socket = socket("echo")
    try await socket.connect()
    let reader = Task { try await socket.reduce(into: []) { $0.append($1) } }
    await Task.yield()
    #expect(client.cancelAll() == 1)
    await #expect(throws: FetchError.self) { try await reader.value }
    var another: WebSocket? = self.socket("echo")
    try await another?.connect()
    another = nil
    await server.allConnectionsClosed()
    _ = await client.shutdown(within: .zero)
    await #expect {
      try await self.socket("echo").connect()
    } throws: {
      if case FetchError.shutDown = $0 { true } else { false }
    }
  }

  @Test func `a reader that is cancelled loses no message`() async throws {
    let gate = Signal()
    server.on("/two") { _ in
      .webSocket { socket in
        await gate.wait()
        socket.send("one")
        socket.send("two")
      }
    }
    let socket = socket("two")
    try await socket.connect()
    let reader = Task {
      var iterator = socket.makeAsyncIterator()
      return try await iterator.next()
    }
    reader.cancel()
    await #expect(throws: FetchError.self) { try await reader.value }
    gate.open()
    #expect(try await socket.reduce(into: []) { $0.append($1) } == [.message("one"), .message("two")])
  }

  @Test func `a closure that cannot be sent is refused`() async throws {
    server.on("/echo") { _ in Self.echo }
    let socket = socket("echo")
    try await socket.connect()
    for closure in [WebSocketClosure(.noStatus), WebSocketClosure(.normal, reason: String(repeating: "x", count: 124))]
    {
      await #expect(throws: FetchError.self) { try await socket.close(closure) }
    }
    try await socket.close()
  }
}

/// Something that happens once, and that tasks wait for.
struct Signal: Sendable {
  private let state = AsyncCondition(false)

  func open() { state.change { $0 = true } }
  func wait() async { await state.wait { $0 } }
}

/// A server that is never slower than it is read from: each read is a message.
private final class EndlessPipe: SocketPipe {
  let message = WebSocketMessage.binary(Data(count: 1000))
  let taken = Lock(0)
  /// How many messages were read and had not reached the reader.
  let mostAhead = Lock(0)
  private let count: Int
  private let read = Lock(0)

  init(messages count: Int) { self.count = count }

  func read() async throws(TransportError) -> Data? {
    let number = read.withLock { number in
      number += 1
      return number
    }
    let ahead = number - taken.withLock(\.self)
    mostAhead.withLock { $0 = max($0, ahead) }
    return number > count ? nil : LoopbackSocket.frame(2, message.data)
  }

  func write(_ bytes: Data) {}
  var hasRoom: Bool { true }
  var isDrained: Bool { true }
  var sentCount: Int { 0 }
  var executor: (any TaskExecutor)? { nil }
  func waitForRoom() async {}
  func close(isOrderly: Bool) {}
}
