#if os(Linux)
import Foundation
import Testing

@testable import FetchKit

/// HTTP/2 streams that a server breaks off alone, with the connection left open.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: NginxServer.hasStreams, "nginx with its module for streams, or openssl, is not installed"))
struct CurlStreamResetTests {
  let transport: CurlTransport

  init() throws { transport = try HTTP2Peer.transport() }

  private func post(_ text: String, to peer: HTTP2Peer) async throws -> Outcome {
    await transport.outcome(of: TransportRequest(.post, try peer.url(), body: .data(Data(text.utf8))))
  }

  @Test(
    .enabled(
      if: (try? CurlLibrary.load()).map { $0.saysWhereServersStop && !$0.canReuseHandles } == true,
      "this libcurl cannot say it for certain"))
  func `a POST that a new connection refuses is sent again`() async throws {
    let peer = try HTTP2Peer { $0.connection.number == 1 ? $0.reset(.refusedStream) : $0.respond("taken") }
    #expect(try await post("order", to: peer) == .response(200, "taken"))
    #expect(peer.bodies == ["order", "order"])
  }

  // libcurl does not say which of the two it was: refused, or broken off and closed.
  @Test func `a POST that a kept connection refuses fails`() async throws {
    let peer = try HTTP2Peer { $0.stream == 1 ? $0.respond("") : $0.reset(.refusedStream) }
    #expect(try await transport.outcome(of: peer.url()) == .response(200, ""))
    #expect(try await post("order", to: peer) == .failed("lost"))
    #expect(peer.bodies == ["", "order"])
  }

  @Test func `a GET that is refused is sent again`() async throws {
    let peer = try HTTP2Peer { $0.connection.number < 3 ? $0.reset(.refusedStream) : $0.respond("x") }
    #expect(try await transport.outcome(of: peer.url()) == .response(200, "x"))
    #expect(peer.connections == 3)
  }

  @Test(arguments: [HTTP2Error.internal, .cancel, .none], [true, false])
  func `a POST that is broken off comes once`(error: HTTP2Error, isFirst: Bool) async throws {
    for closes in [false, true] {
      let peer = try HTTP2Peer { request in
        guard !request.body.isEmpty else { return request.respond("") }
        request.reset(error)
        if closes { request.connection.close() }
      }
      if !isFirst { #expect(try await transport.outcome(of: peer.url()) == .response(200, "")) }
      #expect(try await post("order", to: peer) == .failed("lost"))
      #expect(peer.bodies.filter { !$0.isEmpty } == ["order"])
    }
  }

  @Test func `who is sent to HTTP 1 goes there with a GET, and not with a POST`() async throws {
    let peer = try HTTP2Peer { $0.reset(.http11Required) }
    #expect(try await transport.outcome(of: peer.url()) == .response(200, "HTTP/1.1"))
    #expect(try await post("order", to: peer) == .failed("lost"))
    #expect(peer.bodies == ["", "order"])
  }

  @Test(arguments: [TransportRequest.Delivery.whole, .stream])
  func `an answer that has begun does not begin again by HTTP 1`(delivery: TransportRequest.Delivery) async throws {
    let authority = try NginxServer.shared.get().authority
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.certificateAuthorities = .file(authority)
      $0.streamsByHTTP2 = true
    }
    let peer = try HTTP2Peer {
      $0.connection.head(on: $0.stream)
      $0.connection.ping()
    }
    let request = TransportRequest(.get, try peer.url(), delivery: delivery)
    async let outcome = transport.outcome(of: request)
    // Both at once libcurl takes for an answer that has not begun.
    try await peer.pong()
    try await peer.request(1).reset(.http11Required)
    #expect(await outcome == .failed("lost"))
    #expect(peer.connections <= 2 && peer.bodies == [""])
  }
}
#endif
