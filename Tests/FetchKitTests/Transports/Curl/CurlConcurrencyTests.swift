#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// The limits of a client beside what libcurl does with HTTP/2.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed: TLS and HTTP/2 are not tested"))
struct CurlConcurrencyTests {
  @Test(arguments: [(true, 50), (false, 6)])
  func `a client sends many requests at once to a host that speaks HTTP2, over few connections`(
    speaksHTTP2: Bool, most: Int
  ) async throws {
    let nginx = try NginxServer.shared.get()
    let server = try LoopbackServer()
    let gate = LoopbackGate()
    server.on("/first", .text("x"))
    server.on("/held", .text("x").held(at: gate))
    let authority = nginx.authority
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.certificateAuthorities = .only(.file(authority))
    }
    let client = FetchClient { $0.transport = transport }
    let port = speaksHTTP2 ? nginx.port : nginx.oldTLSPort
    let (first, held) = (
      try nginx.url("/first", of: server, port: port), try nginx.url("/held", of: server, port: port)
    )
    try await client.fetch(first, .void)
    // A stream goes over HTTP/1.1, and says nothing about the others.
    for try await _ in try await client.stream(first) {}
    try await withThrowingTaskGroup { group in
      for _ in 0..<50 { group.addTask { try await client.fetch(held, .void) } }
      let limiter = client.pipeline.limiter
      #expect(await eventually { limiter.waitingCount + limiter.runningCount == 50 })
      #expect(limiter.runningCount == most)
      await server.requests(atLeast: 2 + limiter.runningCount)
      gate.open()
      try await group.waitForAll()
    }
    let connections = Set(server.requests.filter { $0.path == "/held" }.map { $0.headers["X-Connection"] })
    // libcurl also uses the connection of the stream.
    #expect(connections.count <= 6)
  }
}
#endif
