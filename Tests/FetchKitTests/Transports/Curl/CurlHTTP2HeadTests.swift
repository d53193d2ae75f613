#if os(Linux)
import Foundation
import Testing

import FetchKit

/// Heads over HTTP/2 up to and beyond what libcurl accepts.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: NginxServer.hasStreams, "nginx with its module for streams, or openssl, is not installed"))
struct CurlHTTP2HeadTests {
  let transport: CurlTransport

  init() throws { transport = try HTTP2Peer.transport() }

  private func outcome(of peer: HTTP2Peer, limit: Int) async throws -> Outcome {
    var request = TransportRequest(.get, try peer.url())
    request.limits.headers = limit
    // So short that a stall is not mistaken for a slow machine, and does not take half a minute.
    request.timeouts.idle = .seconds(10)
    return await transport.outcome(of: request)
  }

  private func peer(_ size: Int, fields: Int) throws -> HTTP2Peer {
    try HTTP2Peer { request in
      let value = String(repeating: "v", count: size / fields)
      request.connection.respond("body", fields: (0..<fields).map { ("x-\($0)", value) }, on: request.stream)
    }
  }

  @Test(arguments: [1, 30, 60, 63, 64, 65, 66, 80, 100, 110, 120], [4, 40])
  func `a head below the limit arrives whole, with the body in the same bytes`(
    kilobytes: Int, fields: Int
  ) async throws {
    let peer = try peer(kilobytes << 10, fields: fields)
    #expect(try await outcome(of: peer, limit: 256 << 10) == .response(200, "body"))
  }

  // A field of more than 64 KiB ends the connection without a word.
  @Test(arguments: [130, 140, 200, 300], [8, 40])
  func `a head that libcurl does not accept is too large`(kilobytes: Int, fields: Int) async throws {
    let peer = try peer(kilobytes << 10, fields: fields)
    let outcome = try await outcome(of: peer, limit: 256 << 10)
    #expect(outcome == .failed("headers over \(128 << 10)") || outcome == .response(200, "body"))
  }
}
#endif
