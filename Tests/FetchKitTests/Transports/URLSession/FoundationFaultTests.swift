import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// Bugs of Foundation's URLSession on Linux that no transport of ours may have, as far as other suites do not cover
/// them.
@Suite(.timeLimit(.minutes(10))) struct FoundationFaultTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  private func url(_ path: String) -> URL { server.url.appending(path: path) }

  @Test(arguments: ["urlSession", "curl"])
  func `waiting for a connection does not count as silence`(name: String) async throws {
    guard let transport = try Self.oneConnectionPerHost(name) else { return }
    let gate = LoopbackGate()
    server.on("/held", .text("x").held(at: gate))
    server.on("/ok", .text("y"))
    let (held, ok) = (url("held"), url("ok"))
    let first = Task { await outcome(of: TransportRequest(.get, held), on: transport) }
    await server.requests(atLeast: 1)
    let waiting = Task {
      let timeouts = Timeouts(connect: nil, idle: .milliseconds(100), total: .seconds(60))
      return await outcome(of: TransportRequest(.get, ok, timeouts: timeouts), on: transport)
    }
    // Ends when the waiting request has waited longer than its idle timeout.
    let timeouts = Timeouts(connect: nil, idle: nil, total: .milliseconds(400))
    #expect(await outcome(of: TransportRequest(.get, ok, timeouts: timeouts), on: transport) == "total")
    gate.open()
    #expect(await first.value == "200:1")
    #expect(await waiting.value == "200:1")
  }

  private static func oneConnectionPerHost(_ name: String) throws -> (any Transport)? {
    if name == "urlSession" {
      var configuration = URLSessionTransport.Configuration()
      configuration.connectionsPerHost = 1
      return URLSessionTransport(configuration)
    }
    #if os(Linux)
    return try CurlTransport { $0.connectionsPerHost = 1 }
    #else
    return nil
    #endif
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `many concurrent redirected requests all succeed`(kind: TransportUnderTest) async {
    server.on("/from/{n}") { .redirect(307, to: "/to/\($0.parameters["n"] ?? "")") }
    server.on("/to/{n}") { .text("\($0.method) \($0.parameters["n"] ?? "") \($0.bodyLength)") }
    let client = FetchClient { $0.transport = kind.transport }
    let root = server.url
    let wrong = await withTaskGroup(of: String?.self) { group in
      for index in 0..<80 {
        group.addTask {
          let isPut = index.isMultiple(of: 2)
          let body = isPut ? RequestBody.data(Data(count: index)) : .none
          let request = HTTPRequest(isPut ? .put : .get, root.appending(path: "from/\(index)"), body: body)
          let expected = isPut ? "PUT \(index) \(index)" : "GET \(index) 0"
          do throws(FetchError) {
            let text = try await client.fetch(request, .string)
            return text == expected ? nil : text
          } catch {
            return "\(error)"
          }
        }
      }
      return await group.reduce(into: [String]()) { if let text = $1 { $0.append(text) } }
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a streamed body outlives its transport`(kind: TransportUnderTest) async throws {
    server.on("/long", LoopbackResponse(body: .repeated(Data(count: 1000), count: 1000)))
    weak var transport: AnyObject?
    var body: ResponseBody? = try await {
      let made = try kind.makeTransport()
      transport = made
      return try await made.send(TransportRequest(.get, url("long"), delivery: .stream)).body
    }()
    var count = 0
    if let body { for try await chunk in body { count += chunk.count } }
    #expect(count == 1_000_000)
    body = nil
    #expect(await eventually { transport == nil })
    await server.allConnectionsClosed()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `transports made for a single request are released without harm`(kind: TransportUnderTest) async throws {
    // Other implementations crash when a session is torn down while a task ends.
    let gate = LoopbackGate()
    server.on("/ok", .text("x"))
    server.on("/gone", .text("x").cut(after: .start))
    server.on("/held", .text("late").held(at: gate))
    var random = SplitMix.printed()
    let expected = ["ok": "200:1", "gone": "lost", "held": "cancelled"]
    await withTaskGroup(of: (String, String).self) { group in
      for _ in 0..<150 {
        let path = ["ok", "gone", "held"][Int(random.next() % 3)]
        let pauses = Int(random.next() % 200)
        group.addTask { [request = TransportRequest(.get, url(path))] in
          guard let transport = try? kind.makeTransport() else { return (path, "no transport") }
          let task = Task { await outcome(of: request, on: transport) }
          guard path == "held" else { return (path, await task.value) }
          for _ in 0..<pauses { await Task.yield() }
          task.cancel()
          return (path, await task.value)
        }
      }
      for await (path, word) in group { #expect(word == expected[path]) }
    }
    await server.allConnectionsClosed()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a slow reader delays no other request`(kind: TransportUnderTest) async throws {
    server.on("/long", LoopbackResponse(body: .repeated(Data(count: 1000), count: 4000)))
    server.on("/ok", .text("x"))
    let body = try await kind.transport.send(TransportRequest(.get, url("long"), delivery: .stream)).body
    var iterator = body.makeAsyncIterator()
    var count = try await iterator.next()?.count ?? 0
    for _ in 0..<5 { #expect(await outcome(of: TransportRequest(.get, url("ok")), on: kind.transport) == "200:1") }
    while let chunk = try await iterator.next() { count += chunk.count }
    #expect(count == 4_000_000)
  }

  @Test func `a stub delivers all chunks of a streamed body`() async throws {
    let stub = StubTransport(simulating: { _ in .text("first-second").chunked(size: 6) })
    let body = try await stub.send(TransportRequest(.get, url("x"), delivery: .stream)).body
    var text = ""
    for try await chunk in body { text += String(decoding: chunk, as: UTF8.self) }
    #expect(text == "first-second")
  }

  #if os(Linux)
  @Test func `URLSession reports an error for an IPv6 host instead of crashing`() async throws {
    let peer = try RawPeer(.ipv6) { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    let request = TransportRequest(.get, try peer.url(host: "[::1]"))
    // When this returns "200:0", the toolchain is fixed, and the transport's documentation can say so.
    #expect(await outcome(of: request, on: URLSessionTransport()) == "invalid")
  }

  @Test func `a streamed exchange of URLSession is released when it ends`() async throws {
    server.on("/long", LoopbackResponse(body: .repeated(Data(count: 1000), count: 100)))
    server.on("/cut", LoopbackResponse(body: .repeated(Data(count: 1000), count: 100)).cut(after: .body(bytes: 5000)))
    server.on("/gone", .text("x").cut(after: .start))
    let core = URLSessionCore(URLSessionTransport.Configuration(), mostWaitingBytes: 1 << 20)
    for (path, isRead) in [("long", true), ("long", false), ("cut", true), ("gone", true)] {
      weak var exchange: URLSessionExchange?
      do {
        let made = URLSessionExchange(TransportRequest(.get, url(path), delivery: .stream), core)
        exchange = made
        let result = await made.response()
        if isRead, case .success(let response) = result { _ = try? await response.body.collect(upTo: .max) }
      }
      #expect(await eventually { exchange == nil })
    }
    core.invalidate()
  }
  #endif
}
