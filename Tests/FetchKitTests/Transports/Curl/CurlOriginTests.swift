#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// How many connections many requests to one server open over HTTP/2. nginx accepts 128 on each.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed: shared connections are not tested"))
struct CurlOriginTests {
  private let server: LoopbackServer
  private let url: URL
  private let transport: CurlTransport
  private let gate = LoopbackGate()

  init() throws {
    let nginx = try NginxServer.shared.get()
    server = try LoopbackServer()
    url = try nginx.url("/held", of: server)
    let authority = nginx.authority
    transport = try CurlTransport {
      $0.proxy = .none
      $0.certificateAuthorities = .only(.file(authority))
    }
  }

  /// Holds responses, which name nginx's connection, until that many requests have arrived.
  private func hold(until count: Int) {
    let arrived = Lock(0)
    server.on("/held") { [gate] request in
      let isLast = arrived.withLock {
        $0 += 1
        return $0 == count
      }
      if isLast { gate.open() }
      return LoopbackResponse.text(request.headers["X-Connection"] ?? "none").held(at: gate)
    }
  }

  private func connections(of count: Int) async -> (connections: Set<String>, failures: [Outcome]) {
    let (transport, url) = (transport, url)
    return await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<count { group.addTask { await transport.outcome(of: TransportRequest(.get, url)) } }
      return await group.reduce(into: ([], [])) { result, outcome in
        if case .response(200, let connection) = outcome {
          result.0.insert(connection)
        } else {
          result.1.append(outcome)
        }
      }
    }
  }

  @Test(arguments: [100, 128, 129, 256, 480])
  func `concurrent requests open no more connections than they fill`(count: Int) async {
    hold(until: count)
    for _ in 0..<2 {
      let (connections, failures) = await connections(of: count)
      #expect(failures.isEmpty)
      // One more than they fill: until its settings arrive a server is assumed to allow 100 streams.
      #expect(connections.count <= (count + 127) / 128 + 1, "\(connections)")
    }
  }

  @Test func `a connection that never opens delays the other requests only briefly`() async throws {
    let nginx = try NginxServer.shared.get()
    let accepted = Lock(0)
    let relay = try RawPeer { connection in
      let number = accepted.withLock {
        $0 += 1
        return $0
      }
      if number == 2 {
        connection.waitForClose()
      } else {
        Tunnel.relay(connection, to: nginx.port)
      }
    }
    var configuration = CurlTransport.Configuration()
    configuration.proxy = .none
    configuration.certificateAuthorities = .only(.file(nginx.authority))
    var settings = try CurlSettings(configuration, library: CurlLibrary.load())
    settings.openingTimeout = 20_000_000
    let transport = try CurlTransport(settings)
    let arrived = Lock(0)
    server.on("/held") { [gate] _ in
      let isLast = arrived.withLock {
        $0 += 1
        return $0 == 199
      }
      if isLast { gate.open() }
      return LoopbackResponse.text("x").held(at: gate)
    }
    var request = TransportRequest(.get, try nginx.url("/held", of: server, port: relay.port))
    (request.timeouts.connect, request.timeouts.total) = (.seconds(20), .seconds(20))
    let tasks = (0..<200).map { [request] _ in Task { await transport.outcome(of: request) } }
    var others = 0
    let answers = await withTaskGroup(of: Outcome.self) { group in
      for task in tasks { group.addTask { await task.value } }
      for await outcome in group where outcome == .response(200, "x") {
        others += 1
        if others == 199 { for task in tasks { task.cancel() } }
      }
      return others
    }
    #expect(answers == 199)
  }

  @Test func `waiting requests continue when others are cancelled, whichever they are`() async {
    hold(until: .max)
    var random = SplitMix.printed()
    let (transport, url) = (transport, url)
    let tasks = (0..<400).map { _ in Task { await transport.outcome(of: TransportRequest(.get, url)) } }
    var cancelled: Set<Int> = []
    while cancelled.count < 300 { cancelled.insert(.random(in: 0..<400, using: &random)) }
    for index in cancelled.shuffled(using: &random) {
      tasks[index].cancel()
      await Task.yield()
    }
    gate.open()
    for (index, task) in tasks.enumerated() {
      let outcome = await task.value
      if case .response(200, _) = outcome { continue }
      #expect(cancelled.contains(index), "\(outcome)")
    }
  }
}
#endif
