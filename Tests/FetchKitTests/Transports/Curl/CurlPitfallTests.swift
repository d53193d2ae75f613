#if os(Linux)
import CLarderCurl
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// Behaviour of libcurl that its manual hardly mentions, and mistakes that a loop around it makes: each was once a bug
/// here.
@Suite(.timeLimit(.minutes(2))) struct CurlPitfallTests {
  let server: LoopbackServer
  let transport: CurlTransport

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTransport { $0.proxy = .none }
  }

  @Test func `retries of earlier requests on dead connections do not count against later requests`() async {
    // Every connection answers once, accepts another request and dies. libcurl sends again, five times in a handle's
    // life.
    let answered = Lock<Set<Int>>([])
    server.on("/") { request in
      let isFirst = answered.withLock { $0.insert(request.connection).inserted }
      return isFirst ? .text("x") : .text("x").cut(after: .start)
    }
    for _ in 0..<20 { #expect(await transport.outcome(of: server.url) == .response(200, "x")) }
    #expect(server.acceptedConnections == 20)
    #expect(server.requests.count == 39)
  }

  @Test func `requests that hang do not cost others their kept-alive connections`() async throws {
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.maxIdleConnections = 1
    }
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    server.on("/", .text("x"))
    let url = server.url
    let held = (0..<5).map { _ in Task { await transport.outcome(of: url.appending(path: "held")) } }
    await server.requests(atLeast: 5)
    for _ in 0..<5 { #expect(await transport.outcome(of: url) == .response(200, "x")) }
    #expect(server.acceptedConnections == 6)
    gate.open()
    for task in held { #expect(await task.value == .response(200, "late")) }
    // Of the six as many stay as are allowed.
    #expect(await transport.outcome(of: url) == .response(200, "x"))
    #expect(server.acceptedConnections == 6)
  }

  @Test func `no more idle connections are kept than configured`() async throws {
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.maxIdleConnections = 2
    }
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    server.on("/", .text("x"))
    let url = server.url
    let held = (0..<10).map { _ in Task { await transport.outcome(of: url.appending(path: "held")) } }
    await server.requests(atLeast: 10)
    gate.open()
    for task in held { #expect(await task.value == .response(200, "late")) }
    #expect(await eventually { server.openConnections <= 2 })
    #expect(await transport.outcome(of: url) == .response(200, "x"))
  }

  @Test func `a request can be cancelled from its own progress handler on the loop's thread`() async throws {
    server.on("/", .text("x"))
    let transport = transport
    let task = Lock<Task<Outcome, Never>?>(nil)
    var request = TransportRequest(.post, server.url, body: RequestBody(.data(Data(count: 10 << 20))))
    request.uploadProgress = { _, _ in task.withLock { $0 }?.cancel() }
    let (start, go) = AsyncStream<Void>.makeStream()
    let sending = Task { [request] in
      _ = await start.first { _ in true }
      return await transport.outcome(of: request)
    }
    task.withLock { $0 = sending }
    go.yield()
    #expect(await sending.value == .failed("cancelled"))
  }

  @Test func `a connection that received a trailer is closed if libcurl leaks trailers`() async throws {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
    server.on("/trailer", .bytes(.send(Data("\(text)X-Trailer: t\r\n\r\n".utf8))))
    server.on("/none", .bytes(.send(Data("\(text)\r\n".utf8))))
    for path in ["none", "none", "trailer", "none", "none"] {
      #expect(await transport.outcome(of: server.url.appending(path: path)) == .response(200, "x"))
    }
    #expect(server.acceptedConnections == (try CurlLibrary.load().leaksTrailers ? 2 : 1))
  }

  @Test func `a reused handle carries nothing over from the previous request`() async throws {
    server.on("*") {
      .text("\($0.method) \($0.bodyLength) \($0.headers["X-Old"] ?? "-") \($0.headers["Accept-Encoding"] ?? "-")")
    }
    let url = server.url
    let stream = RequestBody(
      .stream(length: nil) {
        let rest = Lock<Data?>(Data(count: 5))
        return {
          rest.withLock { rest in
            defer { rest = nil }; return rest
          }
        }
      })
    let offered = try #require(
      try await transport.send(TransportRequest(.get, url)).body.data.map { String(decoding: $0, as: UTF8.self) })
    for _ in 0..<3 {
      let old = TransportRequest(.post, url, headers: ["X-Old": "o"], body: RequestBody(.data(Data(count: 3))))
      #expect(await transport.outcome(of: old) == .response(200, offered.replacing("GET 0 -", with: "POST 3 o")))
      #expect(await transport.outcome(of: url) == .response(200, offered))
      #expect(await transport.outcome(of: TransportRequest(.head, url)) == .response(200, ""))
      #expect(await transport.outcome(of: url) == .response(200, offered))
      let put = TransportRequest(.put, url, body: stream)
      #expect(await transport.outcome(of: put) == .response(200, offered.replacing("GET 0", with: "PUT 5")))
      #expect(await transport.outcome(of: url) == .response(200, offered))
      let streamed = TransportRequest(.get, url, delivery: .stream)
      #expect(await transport.outcome(of: streamed) == .response(200, "GET 0 - identity"))
      #expect(
        await transport.outcome(of: TransportRequest(.delete, url))
          == .response(200, offered.replacing("GET", with: "DELETE")))
      #expect(await transport.outcome(of: url) == .response(200, offered))
      var cancelled = TransportRequest(.post, url, headers: ["X-Old": "o"], body: RequestBody(.data(Data(count: 3))))
      cancelled.timeouts.total = .nanoseconds(1)
      _ = await transport.outcome(of: cancelled)
    }
    #expect(server.requests.allSatisfy { $0.headers["Transfer-Encoding"] == nil || $0.method == .put })
  }

  @Test func `chunks of a streamed body stay small, however fast they arrive`() async throws {
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.streamBuffer = 1
    }
    server.on("/", LoopbackResponse(body: .repeated(Data(count: 1 << 20), count: 8)))
    let body = try await transport.send(TransportRequest(.get, server.url, delivery: .stream)).body
    var total = 0
    for try await piece in body {
      #expect(piece.count <= 64 << 10)
      total += piece.count
    }
    #expect(total == 8 << 20)
  }

  @Test func `a message posted while wake-ups are suppressed is not lost`() async throws {
    // Each round wakes the loop and posts a second message at a varying moment of the loop's work.
    // Nothing else happens on this transport: if that message were lost, the round would never end.
    let request = TransportRequest(.get, server.url)
    let loop = try #require(transport.engine as? CurlLoop)
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of the delays: \(seed)")
    var random = SplitMix(seed: seed)
    for _ in 0..<5000 {
      let transfer = try CurlTransfer(request, loop.settings)
      let moment = MonotonicClock.now() + Int(random.next() % 40_000)
      await withCheckedContinuation { waiter in
        loop.post(.cancel(transfer))  // before it starts, so that it ends without a connection
        while MonotonicClock.now() < moment {}
        loop.post(.start(transfer, waiter))
      }
      let error = #expect(throws: TransportError.self) { try transfer.takeAnswer() }
      guard case .cancelled = error else {
        Issue.record("ended with \(String(describing: error))")
        return
      }
    }
    #expect(server.acceptedConnections == 0)
  }

  @Test(arguments: [true, false])
  func `protocols are restricted by the current and the older libcurl option`(isNew: Bool) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("x".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let easy = try CurlEasy()
    ccurl_set_data_callback(easy.handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
    easy.set(CURLOPT_URL, file.absoluteString)
    #expect(curl_easy_perform(easy.handle) == CURLE_OK)
    if isNew {
      guard easy.restrictProtocolsByName() else { return }  // older than 7.85
    } else {
      try easy.restrictProtocolsByMask()
    }
    #expect(curl_easy_perform(easy.handle) == CURLE_UNSUPPORTED_PROTOCOL)
  }
}
#endif
