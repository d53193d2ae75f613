import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct URLSessionTransportTests {
  let server: LoopbackServer
  let transport = URLSessionTransport()

  init() throws {
    server = try LoopbackServer()
  }

  @Test func `a response comes with status, fields and body`() async throws {
    server.on(.get, "/hello", .text("hello"))
    let response = try await transport.send(TransportRequest(.get, server.url.appending(path: "hello")))
    #expect(response.head.status == 200)
    #expect(response.head.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(response.body.whole == Data("hello".utf8))
    #expect(server.requests.map(\.path) == ["/hello"])
  }

  @Test func `bodies arrive as sent, from memory, a file and a stream`() async throws {
    server.on(.post, "/echo") { .data($0.body) }
    let payload = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try payload.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let stream = RequestBody(
      .stream(length: nil) {
        let rest = Offsets(payload)
        return { rest.next() }
      })
    for body in [RequestBody(.data(payload)), RequestBody(.file(file)), stream] {
      let url = server.url.appending(path: "echo")
      let response = try await transport.send(TransportRequest(.post, url, body: body))
      #expect(response.body.whole == payload)
    }
    #expect(server.requests.allSatisfy { $0.headers["Content-Type"] == "application/octet-stream" })
  }

  @Test func `a refused connection, a close and a truncated body are told apart`() async throws {
    server.on("/gone", .text("x").cut(after: .start))
    server.on("/reset", .text("x").cut(after: .start, by: .reset))
    server.on("/short", .text("hello world").cut(after: .body(bytes: 4)))
    for path in ["gone", "reset", "short"] {
      let error = await failure(of: TransportRequest(.get, server.url.appending(path: path)))
      guard case .connection(.lost, _) = error else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
    }
    let url = server.url
    server.stop()
    let error = await failure(of: TransportRequest(.get, url))
    guard case .connection(.refused, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `silence ends with the idle deadline, dripping with the total one`() async throws {
    server.on("/stall", .text("x").cut(after: .start, by: .stall))
    server.on("/drip", .text(String(repeating: "x", count: 1000)).dripping(every: .milliseconds(20)))
    var stalled = TransportRequest(.get, server.url.appending(path: "stall"))
    stalled.deadlines = Deadlines(idle: .milliseconds(150), total: .seconds(20))
    guard case .timeout(.idle) = await failure(of: stalled) else {
      Issue.record("no idle timeout")
      return
    }
    var dripping = TransportRequest(.get, server.url.appending(path: "drip"))
    dripping.deadlines = Deadlines(idle: .seconds(20), total: .milliseconds(300))
    guard case .timeout(.total) = await failure(of: dripping) else {
      Issue.record("no total timeout")
      return
    }
    await server.allConnectionsClosed()
  }

  @Test func `a 401 with a challenge is a response like any other`() async throws {
    server.on("/secret", .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], "who are you"))
    let response = try await transport.send(TransportRequest(.get, server.url.appending(path: "secret")))
    #expect(response.head.status == 401)
  }

  @Test func `redirects are not followed`() async throws {
    server.on("/from", .redirect(302, to: "/to"))
    let response = try await transport.send(TransportRequest(.get, server.url.appending(path: "from")))
    #expect(response.head.status == 302)
    #expect(response.head.headers["Location"] == "/to")
    #expect(server.requests.count == 1)
  }

  @Test func `a body larger than the limit is stopped, announced or not`() async throws {
    let chunk = Data(repeating: 7, count: 64 << 10)
    server.on("/announced", LoopbackResponse(body: .repeated(chunk, count: 1000)))
    server.on("/chunked", LoopbackResponse(body: .repeated(chunk, count: 1000)).chunked())
    for path in ["announced", "chunked"] {
      var request = TransportRequest(.get, server.url.appending(path: path))
      request.limits.body = 1 << 20
      guard case .tooLarge(.body, limit: 1_048_576) = await failure(of: request) else {
        Issue.record("\(path) was not stopped")
        continue
      }
    }
    await server.allConnectionsClosed()
  }

  @Test func `cancelling while the server holds the answer ends at once`() async throws {
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let task = Task { [transport, server] in await Self.outcome(transport, server.url.appending(path: "held")) }
    await server.requests(atLeast: 1)
    task.cancel()
    guard case .cancelled = await task.value else {
      Issue.record("not cancelled")
      return
    }
    await server.allConnectionsClosed()
    gate.open()
  }

  @Test func `a stream hands out the body and can be dropped`() async throws {
    let chunk = Data(repeating: 7, count: 10_000)
    server.on("/stream", LoopbackResponse(body: .repeated(chunk, count: 50)).chunked())
    server.on("/endless", LoopbackResponse(body: .repeated(chunk, count: 1_000_000)).chunked())
    let request = TransportRequest(.get, server.url.appending(path: "stream"), delivery: .stream)
    var count = 0
    for try await piece in try await transport.send(request).body { count += piece.count }
    #expect(count == 500_000)
    #expect(server.requests[0].headers["Accept-Encoding"] == "identity")

    let endless = TransportRequest(.get, server.url.appending(path: "endless"), delivery: .stream)
    for try await _ in try await transport.send(endless).body { break }
    await server.allConnectionsClosed()
  }

  @Test func `requests that cannot be sent are refused before anything is sent`() async throws {
    let url = server.url
    let invalid = [
      TransportRequest(.get, try #require(URL(string: "file:///etc/passwd"))),
      TransportRequest(.get, try #require(URL(string: "http://"))),
      TransportRequest("GE T", url),
      TransportRequest(.get, url, headers: ["a": "b\r\nc: d"]),
      TransportRequest(.get, url, headers: ["a b": "c"]),
      TransportRequest(.get, url, body: RequestBody(.data(Data("x".utf8)))),
    ]
    for request in invalid {
      guard case .invalidRequest = await failure(of: request) else {
        Issue.record("\(request.method) was not refused")
        continue
      }
    }
    #expect(server.requests.isEmpty)
  }

  private func failure(of request: TransportRequest) async -> TransportError? {
    do throws(TransportError) {
      _ = try await transport.send(request)
      return nil
    } catch {
      return error
    }
  }

  private static func outcome(_ transport: URLSessionTransport, _ url: URL) async -> TransportError? {
    do throws(TransportError) {
      _ = try await transport.send(TransportRequest(.get, url))
      return nil
    } catch {
      return error
    }
  }
}

/// Hands out bytes in pieces of 30 000.
final class Offsets: Sendable {
  private let rest: Lock<Data>

  init(_ data: Data) {
    rest = Lock(data)
  }

  func next() -> Data? {
    rest.withLock { rest in
      guard !rest.isEmpty else { return nil }
      defer { rest = Data(rest.dropFirst(30_000)) }
      return Data(rest.prefix(30_000))
    }
  }
}
