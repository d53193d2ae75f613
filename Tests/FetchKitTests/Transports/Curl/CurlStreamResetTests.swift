#if os(Linux)
import Foundation
import Testing

@testable import FetchKit

/// HTTP/2 streams that a server resets individually, with the connection left open.
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
      if: (try? CurlLibrary.load()).map { $0.reportsLastStream && !$0.canReuseHandles } == true,
      "this libcurl cannot say it for certain"))
  func `a POST that is refused on a new connection is sent again`() async throws {
    let peer = try HTTP2Peer { $0.connection.number == 1 ? $0.reset(.refusedStream) : $0.respond("taken") }
    #expect(try await post("order", to: peer) == .response(200, "taken"))
    #expect(peer.bodies == ["order", "order"])
  }

  // libcurl does not report which of the two happened: refused, or reset and closed.
  @Test func `a POST that is refused on a reused connection fails`() async throws {
    let peer = try HTTP2Peer { $0.stream == 1 ? $0.respond("") : $0.reset(.refusedStream) }
    #expect(try await transport.outcome(of: peer.url()) == .response(200, ""))
    #expect(try await post("order", to: peer) == .failed("lost"))
    #expect(peer.bodies == ["", "order"])
  }

  @Test func `a GET that is refused is sent again`() async throws {
    let peer = try HTTP2Peer { $0.connection.number < 2 ? $0.reset(.refusedStream) : $0.respond("x") }
    #expect(try await transport.outcome(of: peer.url()) == .response(200, "x"))
    #expect(peer.connections == 2)
  }

  @Test(
    .enabled(
      if: (try? CurlLibrary.load()).map { $0.reportsLastStream && !$0.canReuseHandles } == true,
      "this libcurl cannot say it for certain"), arguments: [true, false])
  func `a request that is refused again was not processed, and is not sent a third time`(isPost: Bool) async throws {
    let peer = try HTTP2Peer { $0.reset(.refusedStream) }
    let outcome = isPost ? try await post("order", to: peer) : try await transport.outcome(of: peer.url())
    #expect(outcome == .failed("unprocessed"))
    #expect(peer.bodies.count == 2)
  }

  @Test(arguments: [HTTP2Error.internal, .cancel, .none], [true, false])
  func `a POST whose stream is reset is sent once`(error: HTTP2Error, isFirst: Bool) async throws {
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

  @Test(arguments: [true, false])
  func `a server that requires HTTP/1.1 gets the request over it, and all later ones`(resets: Bool) async throws {
    let peer = try HTTP2Peer {
      if resets { $0.reset(.http11Required) } else { $0.connection.goAway(last: 0, .http11Required) }
    }
    #expect(try await post("order", to: peer) == .response(200, "HTTP/1.1"))
    #expect(peer.bodies == ["order"])
    for _ in 0..<3 {
      #expect(try await post("order", to: peer) == .response(200, "HTTP/1.1"))
      #expect(try await transport.outcome(of: peer.url()) == .response(200, "HTTP/1.1"))
    }
    #expect(peer.bodies == ["order"])
  }

  @Test(arguments: [TransportRequest.Delivery.whole, .stream])
  func `a response that has begun does not restart over HTTP/1.1`(delivery: TransportRequest.Delivery) async throws {
    let authority = try NginxServer.shared.get().authority
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.certificateAuthorities = .only(.file(authority))
      $0.streamsOverHTTP2 = true
    }
    let peer = try HTTP2Peer {
      $0.connection.head(on: $0.stream)
      $0.connection.ping()
    }
    let request = TransportRequest(.get, try peer.url(), delivery: delivery)
    async let outcome = transport.outcome(of: request)
    // If both arrive together, libcurl considers the response not begun.
    try await peer.pong()
    try await peer.request(1).reset(.http11Required)
    #expect(await outcome == .failed("lost"))
    #expect(peer.connections <= 2 && peer.bodies == [""])
  }
}
#endif
