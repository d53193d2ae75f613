import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite(.timeLimit(.minutes(10))) struct LoopbackServerTests {
  /// More bytes than the system buffers for a client that does not read.
  private static let long = 16 << 20

  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on("/echo") { .data($0.body) }
    server.on("/hello", .text("hello"))
  }

  @Test func `pipelined requests are answered in order on one connection`() async throws {
    let client = try RawClient(port: server.port)
    client.send("GET /hello HTTP/1.1\r\n\r\nPOST /echo HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /no HTTP/1.1\r\n")
    client.send("Connection: close\r\n\r\n")
    let text = await client.readToEnd()
    let parts = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
    #expect(parts.map { String($0.prefix(3)) } == ["200", "200", "404"])
    #expect(parts.dropFirst().first?.hasSuffix("\r\n\r\nabc") == true)
    #expect(server.requests.map(\.connection) == [1, 1, 1])
  }

  @Test(arguments: [1, 2, 7, 100])
  func `a chunked request body is assembled from pieces of any size`(size: Int) async throws {
    let client = try RawClient(port: server.port)
    let request =
      "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
      + "5;x=y\r\nhello\r\nA\r\n, world!!!\r\n0\r\nTrailer: x\r\n\r\n"
    var rest = Substring(request)
    while !rest.isEmpty {
      client.send(String(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    #expect(await client.readToEnd().hasSuffix("\r\n\r\nhello, world!!!"))
    #expect(server.requests.map(\.bodyLength) == [15])
  }

  @Test(arguments: [
    "nonsense\r\n\r\n", "GET / HTTP/3\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
    "POST /echo HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    "POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
  ])
  func `invalid HTTP is answered with a 400 and a close`(bytes: String) async throws {
    let client = try RawClient(port: server.port)
    client.send(bytes)
    #expect(await client.readToEnd().hasPrefix("HTTP/1.1 400 "))
  }

  @Test func `a request with Expect: 100-continue receives a 100`() async throws {
    let client = try RawClient(port: server.port)
    client.send("POST /echo HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n")
    #expect(await client.read(25) == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("ab")
    #expect(await client.readToEnd().hasSuffix("\r\n\r\nab"))
  }

  @Test func `a response may precede the end of the request body`() async throws {
    server.on(.post, "/early", at: .head, .status(413).closing())
    server.on(.post, "/half", at: .body(bytes: 10), .text("x").cut(after: .start))
    let early = try RawClient(port: server.port)
    early.send("POST /early HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n")
    #expect(await early.readToEnd().hasPrefix("HTTP/1.1 413 "))
    let half = try RawClient(port: server.port)
    half.send("POST /half HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n0123456789")
    #expect(await half.readToEnd() == "")
  }

  @Test func `a client that closes its sending side receives the whole response`() async throws {
    server.on("/long", LoopbackResponse(body: .repeated(Data("~".utf8), count: Self.long)))
    let client = try RawClient(port: server.port)
    // The second request was sent before the close, too, and is answered after the first.
    client.send("GET /long HTTP/1.1\r\n\r\nGET /hello HTTP/1.1\r\n\r\n")
    client.endSending()
    let text = await client.read(Self.long + (1 << 20))
    #expect(text.utf8.count { $0 == UInt8(ascii: "~") } == Self.long)
    #expect(text.hasSuffix("\r\n\r\nhello"))
    await server.allConnectionsClosed()
    #expect(server.openConnections == 0)
  }

  @Test func `the server notices a client that closes its sending side and disconnects`() async throws {
    server.on("/long", LoopbackResponse(body: .repeated(Data("~".utf8), count: Self.long)))
    server.on("/held", .text("x").held(at: LoopbackGate()))
    for path in ["long", "held"] {
      var client: RawClient? = try RawClient(port: server.port)
      client?.send("GET /\(path) HTTP/1.1\r\n\r\n")
      client?.endSending()
      client = nil
    }
    await server.requests(atLeast: 2)
    await server.allConnectionsClosed()
    #expect(server.openConnections == 0)
  }

  #if os(Linux)
  /// As URLSession on Linux does: it closes sockets that Dispatch still watches.
  @Test func `sockets that other code closes while watched do not affect the server's sockets`() async throws {
    let server = try LoopbackServer()
    server.on("/hello", .text("hello").closing())
    var sources: [any DispatchSourceRead] = []
    for _ in 0..<16 {
      // Nothing arrives and neither side closes: Dispatch continues to watch the socket.
      let descriptor = socket(AF_INET, SocketKind.datagram, 0)
      try #require(descriptor >= 0)
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
      await withCheckedContinuation { continuation in
        source.setRegistrationHandler { continuation.resume() }
        source.activate()
      }
      sources.append(source)
    }
    for source in sources { close(Int32(source.handle)) }
    let client = try RawClient(port: server.port)
    client.send("GET /hello HTTP/1.1\r\n\r\n")
    #expect(await client.readToEnd().hasSuffix("hello"))
    for source in sources { source.cancel() }
  }
  #endif

  @Test func `a throttled body takes its time, whether it is one piece or repeated`() async throws {
    let whole = LoopbackResponse.text("abababababab")
    let repeated = LoopbackResponse(body: .repeated(Data("ab".utf8), count: 6))
    for response in [whole, repeated, repeated.chunked()] {
      server.on("/drip", response.dripping(bytes: 2, every: .milliseconds(5)).closing())
      let client = try RawClient(port: server.port)
      let start = ContinuousClock.now
      client.send("GET /drip HTTP/1.1\r\n\r\n")
      let text = await client.readToEnd()
      #expect(text.count { $0 == "a" } >= 6 && text.count { $0 == "b" } >= 6, "\(text)")
      let headDrips = (text.utf8.count - 12) / 2
      #expect(ContinuousClock.now - start >= .milliseconds(5) * (headDrips + 5))
    }
  }

  @Test func `each fault cuts the response at its configured point`() async throws {
    let hello = LoopbackResponse.text("hello")
    server.on("/head", hello.cut(after: .head(bytes: 12)))
    server.on("/body", hello.cut(after: .body(bytes: 2)))
    server.on("/start", hello.cut(after: .start))
    server.on("/length", hello.declaring(length: 9).closing())
    server.on("/chunk", hello.chunked(size: 2).cut(after: .body(bytes: 7)))
    server.on("/repeat", LoopbackResponse(body: .repeated(Data("ab".utf8), count: 5)).cut(after: .body(bytes: 5)))
    server.on("/interim", hello.preceded(by: "103 Early Hints").closing())
    server.on("/raw", .raw("HTTP/1.1 200 OK\r\nFoo:bar\r\n\r\nx"))
    let expected = [
      "head": "HTTP/1.1 200", "start": "", "body": "\r\n\r\nhe", "length": "\r\n\r\nhello",
      "chunk": "\r\n\r\n2\r\nhe\r\n",
      "repeat": "\r\n\r\nababa", "interim": "\r\n\r\nhello", "raw": "HTTP/1.1 200 OK\r\nFoo:bar\r\n\r\nx",
    ]
    for (path, end) in expected {
      let client = try RawClient(port: server.port)
      client.send("GET /\(path) HTTP/1.1\r\n\r\n")
      let text = await client.readToEnd()
      #expect(text.hasSuffix(end), "\(path): \(text)")
      if path == "interim" { #expect(text.hasPrefix("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 ")) }
    }
  }

  @Test func `requests are routed by method, parameter and order, and to a sequence of responses`() async throws {
    server.on("*", .status(418))
    server.on(.get, "/movie/{id}/{part}") { .text("\($0.parameters)") }
    server.on(.get, "/flaky", .status(503), .status(500), .text("fine"))
    func get(_ path: String, _ method: String = "GET") async throws -> String {
      let client = try RawClient(port: server.port)
      client.send("\(method) \(path) HTTP/1.1\r\nConnection: close\r\n\r\n")
      return await client.readToEnd()
    }
    #expect(try await get("/x").contains(" 418 "))
    #expect(try await get("/movie/a%20b/c").contains(#""id": "a b""#))
    #expect(try await get("/movie/1/2", "PUT").contains(" 418 "))
    for status in ["503", "500", "200", "200"] {
      #expect(try await get("/flaky").hasPrefix("HTTP/1.1 \(status)"))
    }
    #expect(try await get("/hello", "HEAD").hasSuffix("Content-Length: 5\r\n\r\n"))
  }

  @Test func `a route needs no leading slash, and an encoded slash is part of its segment`() async throws {
    server.on(.get, "plain/path", .text("found"))
    server.on(.get, "/tag/{name}") { .text($0.parameters["name"] ?? "") }
    func get(_ path: String) async throws -> String {
      let client = try RawClient(port: server.port)
      client.send("GET \(path) HTTP/1.1\r\nConnection: close\r\n\r\n")
      return await client.readToEnd()
    }
    #expect(try await get("/plain/path").hasSuffix("found"))
    #expect(try await get("/tag/a%2Fb%20c").hasSuffix("\r\n\r\na/b c"))
    #expect(try await get("/tag/a/b").hasPrefix("HTTP/1.1 404"))
    #expect(try await get("/%70lain/path?x=1").hasSuffix("found"))
  }

  @Test func `stopping the server ends its connections and frees its port`() async throws {
    let other = try LoopbackServer()
    other.on("/stall", .text("x").cut(after: .start, by: .stall))
    other.on("/held", .text("x").held(at: LoopbackGate()))
    let clients = try (0..<5).map { _ in try RawClient(port: other.port) }
    for (index, client) in clients.enumerated() {
      client.send("GET /\(index.isMultiple(of: 2) ? "stall" : "held") HTTP/1.1\r\n\r\n")
    }
    await other.requests(atLeast: 5)
    other.stop()
    other.stop()
    for client in clients { #expect(await client.readToEnd() == "") }
    try LoopbackServer(port: other.port).stop()
  }

  /// In its own process, where no other test opens descriptors.
  @Test func `stopped servers leave no open descriptor`() async {
    await #expect(processExitsWith: .success) {
      func cycle() throws {
        let server = try LoopbackServer()
        server.on("/stall", .text("x").cut(after: .start, by: .stall))
        let clients = try (0..<5).map { _ in try RawClient(port: server.port) }
        for client in clients { client.send("GET /stall HTTP/1.1\r\n\r\n") }
        server.stop()
      }
      func openDescriptors() -> Int { (0..<4096).count { fcntl($0, F_GETFD) >= 0 } }
      try cycle()
      let before = openDescriptors()
      for _ in 0..<50 { try cycle() }
      exit(openDescriptors() == before ? 0 : 1)
    }
  }
}

/// A client that sends and reads raw bytes. It blocks its own threads, not those of the tasks.
final class RawClient: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "raw-client")

  struct ConnectError: Error {}

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, SocketKind.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw ConnectError() }
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { bytes in
      #if canImport(Darwin)
      Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
      #else
      Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
      #endif
    }
  }

  func endSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  func read(_ count: Int) async -> String {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: readBlocking(count)) }
    }
  }

  func readToEnd() async -> String { await read(1 << 20) }

  private func readBlocking(_ count: Int) -> String {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var piece = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 16))
      let size = recv(descriptor, &piece, piece.count, 0)
      guard size > 0 else { break }
      bytes += piece[..<size]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
