#if os(Linux)
import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CurlTimeoutTests {
  let server: LoopbackServer
  let transport: CurlTransport
  let clock = ContinuousClock()

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTransport { $0.proxy = .none }
  }

  /// The outcome, which says which timeout ended the request, and whether the request lasted at least that long; how
  /// soon it ends depends on the load of the machine.
  private func time(
    _ request: TransportRequest, _ transport: CurlTransport? = nil, within deadline: Duration
  ) async -> (Outcome, isOnTime: Bool) {
    let start = clock.now
    let outcome = await (transport ?? self.transport).outcome(of: request)
    let time = clock.now - start
    return (outcome, time >= deadline)
  }

  @Test func `a peer that never accepts ends the request with the connect timeout`() async throws {
    // A backlog of one that is full: further connections are not answered.
    let peer = try RawPeer(backlog: 0, serve: nil)
    let fillers = try (0..<3).map { _ in try FillerConnection(to: peer.port) }
    var request = TransportRequest(.get, try peer.url())
    request.timeouts = Timeouts(connect: .milliseconds(250), idle: .seconds(60), total: .seconds(60))
    let (outcome, isOnTime) = await time(request, within: .milliseconds(250))
    #expect(outcome == .failed("connect timeout"))
    #expect(isOnTime)
    withExtendedLifetime(fillers) {}
  }

  @Test func `a TLS handshake that never ends exceeds the connect timeout`() async throws {
    let peer = try RawPeer { $0.waitForClose() }
    var request = TransportRequest(.get, try #require(URL(string: "https://127.0.0.1:\(peer.port)/")))
    request.timeouts = Timeouts(connect: .milliseconds(200), idle: .seconds(60), total: .seconds(60))
    let (outcome, isOnTime) = await time(request, within: .milliseconds(200))
    #expect(outcome == .failed("connect timeout"))
    #expect(isOnTime)
  }

  @Test func `silence ends the request with the idle timeout, to fractions of a second`() async throws {
    server.on("/stall", .text("x").cut(after: .start, by: .stall))
    server.on("/half", .text("hello").cut(after: .body(bytes: 2), by: .stall))
    for path in ["stall", "half"] {
      var request = TransportRequest(.get, server.url.appending(path: path))
      request.timeouts = Timeouts(idle: .milliseconds(150), total: .seconds(60))
      let (outcome, isOnTime) = await time(request, within: .milliseconds(150))
      #expect(outcome == .failed("idle timeout"))
      #expect(isOnTime)
    }
    await server.allConnectionsClosed()
  }

  @Test func `a body that drips exceeds the total timeout, not the idle timeout`() async throws {
    server.on("/drip", .text(String(repeating: "x", count: 10_000)).dripping(every: .milliseconds(10)))
    var request = TransportRequest(.get, server.url.appending(path: "drip"))
    request.timeouts = Timeouts(idle: .seconds(60), total: .milliseconds(300))
    for delivery in [TransportRequest.Delivery.whole, .stream] {
      request.delivery = delivery
      let (outcome, isOnTime) = await time(request, within: .milliseconds(300))
      #expect(outcome == .failed("total timeout"))
      #expect(isOnTime)
    }
  }

  @Test func `the total timeout runs while a request waits for a connection`() async throws {
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.connectionsPerHost = 1
    }
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    server.on("/queued", .text("x"))
    let url = server.url
    let held = Task { await transport.outcome(of: url.appending(path: "held")) }
    await server.requests(atLeast: 1)
    var request = TransportRequest(.get, url.appending(path: "queued"))
    request.timeouts = Timeouts(connect: .seconds(60), idle: .seconds(60), total: .milliseconds(300))
    let (outcome, isOnTime) = await time(request, transport, within: .milliseconds(300))
    #expect(outcome == .failed("total timeout"))
    #expect(isOnTime)
    gate.open()
    #expect(await held.value == .response(200, "late"))
    #expect(server.requests.count == 1)
  }

  @Test func `a timeout ends a name look-up and delays no other request`() async throws {
    let lookup = SlowLookup.shared
    var request = TransportRequest(.get, try #require(URL(string: "http://\(SlowLookup.host)/")))
    request.timeouts = Timeouts(connect: .milliseconds(200), idle: .seconds(60), total: .seconds(60))
    let (outcome, isOnTime) = await time(request, within: .milliseconds(200))
    #expect(outcome == .failed("connect timeout"))
    #expect(isOnTime)
    // While the look-up still hangs:
    server.on("/", .text("x"))
    #expect(await transport.outcome(of: server.url) == .response(200, "x"))
    #expect(lookup.isHanging)
  }

  @Test func `extreme timeouts do no harm`() async throws {
    server.on("/", .text("x"))
    var request = TransportRequest(.get, server.url)
    for far in [Duration.seconds(Int64.max), .seconds(1e18)] {
      request.timeouts = Timeouts(connect: far, idle: far, total: far)
      #expect(await transport.outcome(of: request) == .response(200, "x"))
    }
    request.timeouts = Timeouts(connect: nil, idle: nil, total: nil)
    #expect(await transport.outcome(of: request) == .response(200, "x"))
    server.on("/stall", .text("x").cut(after: .start, by: .stall))
    request.url = server.url.appending(path: "stall")
    for near in [Duration.zero, .seconds(-5), .seconds(Int64.min), .nanoseconds(1)] {
      request.timeouts = Timeouts(connect: nil, idle: near, total: nil)
      #expect(await transport.outcome(of: request) == .failed("idle timeout"))
      request.timeouts = Timeouts(connect: nil, idle: nil, total: near)
      #expect(await transport.outcome(of: request) == .failed("total timeout"))
    }
  }

  @Test func `bytes that decompress to nothing yet do not count as silence`() async throws {
    // gzip with a long file name before the data, a few bytes at a time: libcurl calls no callback before the end of
    // the name.
    let head: [UInt8] = [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 0xFF] + [UInt8](repeating: 0x61, count: 150) + [0]
    let data = try #require(Data(base64Encoded: "y0jNyclXyEAnAeNRPY0XAAAA"))
    server.on(
      "/",
      LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(Data(head) + data))
        .dripping(bytes: 4, every: .milliseconds(80)))
    var request = TransportRequest(.get, server.url)
    request.timeouts = Timeouts(idle: .seconds(2), total: .seconds(50))
    #expect(await transport.outcome(of: request) == .response(200, "hello hello hello hello"))
  }
}
#endif
