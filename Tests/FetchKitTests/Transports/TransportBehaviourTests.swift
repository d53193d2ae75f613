import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// Behaviour that all transports share.
@Suite(.timeLimit(.minutes(10))) struct TransportBehaviourTests {
  /// Practically endless, and sent in pieces: URLSession on Linux notices a cancel only once a server pauses.
  private static let endless = LoopbackResponse(body: .repeated(Data(repeating: 7, count: 64 << 10), count: 1_000_000))
    .dripping(bytes: 64 << 10, every: .milliseconds(1))

  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `every transport delivers a response's status, headers and body`(kind: TransportUnderTest) async throws {
    server.on(.get, "/hello", .text("hello"))
    let response = try await kind.transport.send(TransportRequest(.get, server.url.appending(path: "hello")))
    #expect(response.head.status == 200)
    #expect(response.head.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(response.body.data == Data("hello".utf8))
    #expect(server.requests.map(\.path) == ["/hello"])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a URL without a path or relative to another is requested correctly`(
    kind: TransportUnderTest
  ) async throws {
    server.on("*") { .text($0.target) }
    let root = server.url.absoluteString
    for (url, target) in [
      (URL(string: "\(root)?q=1"), "/?q=1"), (URL(string: "c?q=1", relativeTo: URL(string: "\(root)/a/b")), "/a/c?q=1"),
      (URL(string: "\(root)/a//b/c/%2F+%2B?x=+&y=%2B#f"), "/a//b/c/%2F+%2B?x=+&y=%2B"),
    ] {
      let response = try await kind.transport.send(TransportRequest(.get, try #require(url)))
      #expect(
        response.body.data == Data(target.utf8), "\(String(decoding: response.body.data ?? Data(), as: UTF8.self))")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a refused connection, a close and a truncated body have different errors`(kind: TransportUnderTest)
    async throws
  {
    server.on("/gone", .text("x").cut(after: .start))
    server.on("/reset", .text("x").cut(after: .start, by: .reset))
    server.on("/short", .text("hello world").cut(after: .body(bytes: 4)))
    for path in ["gone", "reset", "short"] {
      let error = await failure(of: TransportRequest(.get, server.url.appending(path: path)), on: kind.transport)
      guard case .connection(.lost, _) = error else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
    }
    let closed = try ClosedPort()
    let error = await failure(of: TransportRequest(.get, closed.url), on: kind.transport)
    withExtendedLifetime(closed) {}
    guard case .connection(.refused, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `silence ends with the idle timeout, dripping with the total timeout`(kind: TransportUnderTest) async throws {
    server.on("/stall", .text("x").cut(after: .start, by: .stall))
    server.on("/drip", .text(String(repeating: "x", count: 1000)).dripping(every: .milliseconds(20)))
    var stalled = TransportRequest(.get, server.url.appending(path: "stall"))
    stalled.timeouts = Timeouts(idle: .milliseconds(150), total: .seconds(20))
    guard case .timeout(.idle) = await failure(of: stalled, on: kind.transport) else {
      Issue.record("no idle timeout")
      return
    }
    var dripping = TransportRequest(.get, server.url.appending(path: "drip"))
    dripping.timeouts = Timeouts(idle: .seconds(20), total: .milliseconds(300))
    guard case .timeout(.total) = await failure(of: dripping, on: kind.transport) else {
      Issue.record("no total timeout")
      return
    }
    await server.allConnectionsClosed()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a timeout of a fraction of a second takes effect`(kind: TransportUnderTest) async throws {
    server.on("/stall", .text("x").cut(after: .start, by: .stall))
    let clock = ContinuousClock()
    for timeouts in [
      Timeouts(connect: nil, idle: .milliseconds(400), total: nil),
      Timeouts(connect: nil, idle: nil, total: .milliseconds(400)),
    ] {
      let request = TransportRequest(.get, url("stall"), timeouts: timeouts)
      let start = clock.now
      #expect(await outcome(of: request, on: kind.transport) == (timeouts.total == nil ? "idle" : "total"))
      #expect(clock.now - start >= .milliseconds(400))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a 401 with a challenge is a response like any other`(kind: TransportUnderTest) async throws {
    server.on("/secret", .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], "who are you"))
    let response = try await kind.transport.send(TransportRequest(.get, server.url.appending(path: "secret")))
    #expect(response.head.status == 401)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `transports do not follow redirects`(kind: TransportUnderTest) async throws {
    server.on("/from", .redirect(302, to: "/to"))
    let response = try await kind.transport.send(TransportRequest(.get, server.url.appending(path: "from")))
    #expect(response.head.status == 302)
    #expect(response.head.headers["Location"] == "/to")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a body larger than the limit is stopped, announced or not`(kind: TransportUnderTest) async throws {
    server.on("/announced", Self.endless)
    server.on("/chunked", Self.endless.chunked())
    for path in ["announced", "chunked"] {
      var request = TransportRequest(.get, server.url.appending(path: path))
      request.limits.body = 1 << 20
      guard case .tooLarge(.body, limit: 1_048_576) = await failure(of: request, on: kind.transport) else {
        Issue.record("\(path) was not stopped")
        continue
      }
    }
    await server.allConnectionsClosed()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `the body of a redirect has its own limit`(kind: TransportUnderTest) async throws {
    let body = LoopbackResponse.Body.repeated(Data(count: 1000), count: 10)
    let redirect = LoopbackResponse(status: 302, headers: ["Location": "/to"], body: body)
    server.on("/announced", redirect)
    server.on("/chunked", redirect.chunked())
    server.on("/ok", LoopbackResponse(body: body))
    for delivery in [TransportRequest.Delivery.whole, .stream] {
      for (path, limit, expected) in [
        ("announced", 9_999, "tooLarge body"), ("chunked", 9_999, "tooLarge body"), ("chunked", 10_000, "302:10000"),
        ("ok", 9_999, "200:10000"),
      ] {
        var request = TransportRequest(.get, url(path), delivery: delivery)
        request.limits.redirectBody = limit
        #expect(await outcome(of: request, on: kind.transport) == expected, "\(path) \(limit)")
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `cancelling while the server holds the response ends the request immediately`(kind: TransportUnderTest)
    async throws
  {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let task = Task { [server] in
      await outcome(of: TransportRequest(.get, server.url.appending(path: "held")), on: kind.transport)
    }
    await server.requests(atLeast: 1)
    task.cancel()
    #expect(await task.value == "cancelled")
    await server.allConnectionsClosed()
    gate.open()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a streamed body can be read or dropped`(kind: TransportUnderTest) async throws {
    let chunk = Data(repeating: 7, count: 10_000)
    server.on("/stream", LoopbackResponse(body: .repeated(chunk, count: 50)).chunked())
    server.on("/endless", Self.endless.chunked())
    let request = TransportRequest(.get, server.url.appending(path: "stream"), delivery: .stream)
    var count = 0
    for try await piece in try await kind.transport.send(request).body { count += piece.count }
    #expect(count == 500_000)
    #expect(server.requests[0].headers["Accept-Encoding"] == "identity")

    let endless = TransportRequest(.get, server.url.appending(path: "endless"), delivery: .stream)
    for try await _ in try await kind.transport.send(endless).body { break }
    await server.allConnectionsClosed()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `every transport refuses invalid requests before sending anything`(kind: TransportUnderTest) async throws {
    let url = server.url
    let invalid = [
      TransportRequest(.get, try #require(URL(string: "file:///etc/passwd"))),
      TransportRequest(.get, try #require(URL(string: "http://"))),
      TransportRequest("GE T", url),
      TransportRequest(.get, url, headers: ["a": "b\r\nc: d"]),
      TransportRequest(.get, url, headers: ["a b": "c"]),
      TransportRequest(.get, url, body: RequestBody(.data(Data("x".utf8)))),
      TransportRequest(.post, url, headers: ["Content-Length": "7"], body: RequestBody(.data(Data("x".utf8)))),
      TransportRequest(.post, url, headers: ["Transfer-Encoding": "chunked"], body: RequestBody(.data(Data("x".utf8)))),
      TransportRequest(.get, url, headers: ["Content-Length": "5"]),
      TransportRequest(.get, try #require(URL(string: "http://user:pass@127.0.0.1:\(server.port)/"))),
      TransportRequest(.get, try #require(URL(string: "http://user@127.0.0.1:\(server.port)/"))),
      TransportRequest(.get, try #require(URL(string: "http://127.0.0.1:99999/"))),
      TransportRequest("CONNECT", url),
      TransportRequest(.post, url, headers: ["Transfer-Encoding": "chunked"], body: .data(Data("x".utf8))),
      TransportRequest(.post, url, headers: ["Content-Length": "2"], body: .data(Data("x".utf8))),
      TransportRequest(.post, url, headers: ["Content-Length": "-1"], body: .data(Data("x".utf8))),
      TransportRequest(.post, url, headers: ["Content-Length": "1"]),
      TransportRequest(.post, url, body: RequestBody(.data(Data("x".utf8)), contentType: "a\r\nb: c")),
      TransportRequest(.post, url, body: RequestBody(.stream(length: -1) { { nil } })),
    ]
    for request in invalid {
      guard case .invalidRequest = await failure(of: request, on: kind.transport) else {
        Issue.record("\(request.method) \(request.url) \(request.headers) was not refused")
        continue
      }
    }
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a compressed body is decompressed, and its decompressed size counts against the limit`(
    kind: TransportUnderTest
  ) async throws {
    server.on("/packed", LoopbackResponse.text(String(repeating: "x", count: 10_000)).gzipped())
    server.on("/bomb", .gzipBomb(bytes: 200 << 20))
    server.on("/broken", LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(Data("no gzip".utf8))))
    #expect(await outcome(of: TransportRequest(.get, url("packed")), on: kind.transport) == "200:10000")
    var bomb = TransportRequest(.get, url("bomb"))
    bomb.limits.body = 1 << 20
    #expect(await outcome(of: bomb, on: kind.transport) == "tooLarge body")
    #expect(await outcome(of: TransportRequest(.get, url("broken")), on: kind.transport) == "malformed")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `headers are read in any case, and sent headers reach the server`(kind: TransportUnderTest)
    async throws
  {
    server.on("/fields", LoopbackResponse(headers: ["x-LOWER": "a", "ETag": "\"b\"", "Set-Cookie": "c=1"]))
    let sent: HTTPHeaders = ["X-One": "1", "x-two": "ü", "Accept": "text/plain", "Cookie": "d=2"]
    let response = try await kind.transport.send(TransportRequest(.get, url("fields"), headers: sent))
    #expect(response.head.headers["X-Lower"] == "a")
    #expect(response.head.headers["etag"] == "\"b\"")
    for field in sent { #expect(server.requests[0].headers[field.name] == field.value) }
    // Nothing is stored from one request to the next.
    _ = try await kind.transport.send(TransportRequest(.get, url("fields")))
    #expect(server.requests[1].headers["Cookie"] == nil)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `HEAD has no body, DELETE may have one, and any token is a method`(kind: TransportUnderTest) async throws {
    server.on("/any") { .text("\($0.method) \($0.bodyLength)") }
    let head = try await kind.transport.send(TransportRequest(.head, url("any")))
    #expect(head.head.headers["Content-Length"] == "6")
    #expect(head.body.data == Data())
    let body = RequestBody.data(Data("abc".utf8))
    for method in [HTTPMethod.delete, .patch, .put, "PURGE"] {
      let response = try await kind.transport.send(TransportRequest(method, url("any"), body: body))
      #expect(response.body.data == Data("\(method) 3".utf8))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `transports do not cache responses`(kind: TransportUnderTest) async throws {
    server.on("/count") { .data(Data("\($0.target)".utf8)) }
    for query in ["1", "2", "2"] {
      let url = url("count").appending(queryItems: [URLQueryItem(name: "q", value: query)])
      let response = try await kind.transport.send(TransportRequest(.get, url))
      #expect(response.body.data == Data("/count?q=\(query)".utf8))
    }
    #expect(server.requests.count == 3)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a kept-alive connection that died does not fail the next request`(kind: TransportUnderTest) async throws {
    // Answers, and closes without announcing it.
    server.on("/last", .text("x").closing())
    for _ in 0..<20 {
      #expect(await outcome(of: TransportRequest(.get, url("last")), on: kind.transport) == "200:1")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a cancel at any moment ends the request once and leaves no connection`(kind: TransportUnderTest)
    async throws
  {
    server.on(
      "/slow",
      LoopbackResponse(body: .repeated(Data(count: 1000), count: 200)).dripping(bytes: 1000, every: .milliseconds(1)))
    await withTaskGroup(of: String.self) { group in
      for index in 0..<60 {
        group.addTask {
          let request = TransportRequest(.get, url("slow"), delivery: index.isMultiple(of: 2) ? .stream : .whole)
          let task = Task { await outcome(of: request, on: kind.transport) }
          if index.isMultiple(of: 3) { try? await Task.sleep(for: .milliseconds(index % 7)) }
          task.cancel()
          return await task.value
        }
      }
      for await word in group { #expect(["cancelled", "200:200000"].contains(word)) }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `timeouts may be fractions, huge or absent`(kind: TransportUnderTest) async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("x").held(at: gate))
    server.on("/ok", .text("x"))
    for total in [Duration.milliseconds(20), .milliseconds(1), .zero] {
      let request = TransportRequest(.get, url("held"), timeouts: Timeouts(connect: nil, idle: nil, total: total))
      #expect(await outcome(of: request, on: kind.transport) == "total")
    }
    for large in [nil, Duration.seconds(Int64.max / 4), .seconds(1e18)] {
      let timeouts = Timeouts(connect: large, idle: large, total: large)
      let request = TransportRequest(.get, url("ok"), timeouts: timeouts)
      #expect(await outcome(of: request, on: kind.transport) == "200:1")
    }
    gate.open()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `cancelling many requests to a closed port ends them all`(kind: TransportUnderTest) async throws {
    let closed = try ClosedPort()
    let url = closed.url
    for _ in 0..<3 {
      let tasks = (0..<100).map { _ in Task { await outcome(of: TransportRequest(.get, url), on: kind.transport) }
      }
      for task in tasks { task.cancel() }
      for task in tasks { #expect(["cancelled", "refused"].contains(await task.value)) }
    }
    withExtendedLifetime(closed) {}
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a cancel or timeout during a redirect ends the request once`(kind: TransportUnderTest) async throws {
    server.on("/from", .redirect(302, to: "/to"))
    await withTaskGroup(of: String.self) { group in
      for index in 0..<200 {
        group.addTask {
          var request = TransportRequest(.get, url("from"))
          request.timeouts.total = .microseconds(200 + index * 50)
          let task = Task { await outcome(of: request, on: kind.transport) }
          for _ in 0..<(index % 20) { await Task.yield() }
          if index.isMultiple(of: 2) { task.cancel() }
          return await task.value
        }
      }
      for await word in group { #expect(["cancelled", "total", "302:0"].contains(word)) }
    }
  }

  private func url(_ path: String) -> URL { server.url.appending(path: path) }
}
