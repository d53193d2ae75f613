#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

import FetchKit

@Suite(.timeLimit(.minutes(2))) struct CurlConnectionFiguresTests {
  private typealias Figures = CurlTransport.ConnectionFigures

  private func figures(open: Int, idle: Int, requests: Int, waiting: Int) -> Figures {
    var figures = Figures()
    (figures.open, figures.idle, figures.requests, figures.waiting) = (open, idle, requests, waiting)
    return figures
  }

  @Test func `requests occupy connections, wait for them, and leave them idle`() async throws {
    let server = try LoopbackServer()
    let gate = LoopbackGate()
    server.on("/held", .text("x").held(at: gate))
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.connectionsPerHost = 2
    }
    let name = "127.0.0.1:\(server.port)"
    #expect(transport.connectionFigures.isEmpty)
    let url = server.url.appending(path: "held")
    let held = (0..<5).map { _ in Task { await transport.outcome(of: url) } }
    await server.requests(atLeast: 2)
    #expect(
      await eventually { transport.connectionFigures[name] == figures(open: 2, idle: 0, requests: 2, waiting: 3) })
    gate.open()
    for task in held { #expect(await task.value == .response(200, "x")) }
    #expect(transport.connectionFigures == [name: figures(open: 2, idle: 2, requests: 0, waiting: 0)])
    server.stop()
  }

  @Test(.enabled(if: NginxServer.hasStreams, "nginx with its module for streams, or openssl, is not installed"))
  func `requests over HTTP/2 share a connection`() async throws {
    let peer = try HTTP2Peer { if $0.stream == 1 { $0.respond("") } }
    let transport = try HTTP2Peer.transport()
    #expect(await transport.outcome(of: try peer.url()) == .response(200, ""))
    let tasks = try (0..<3).map { _ in Task { [url = try peer.url()] in await transport.outcome(of: url) } }
    _ = try await peer.request(4)
    let expected = figures(open: 1, idle: 0, requests: 3, waiting: 0)
    #expect(await eventually { Array(transport.connectionFigures.values) == [expected] })
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value == .failed("cancelled")) }
  }
}
#endif
