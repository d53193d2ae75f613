#if os(Linux)
import FetchKitTesting
import Foundation
import Testing

import FetchKit

/// Bodies over TLS that end with their connection, which anyone on the way can close.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: NginxServer.hasStreams, "nginx with its module for streams, or openssl, is not installed"))
struct CurlTLSClosureTests {
  /// Answers a request for `/first` and keeps the connection, and any other with the text, whose end it does not say.
  private func peer(_ head: String, _ body: Data, closes: Bool) throws -> RawPeer {
    try RawPeer { connection in
      while let request = connection.readHead() {
        if request.contains(" /first ") {
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
          continue
        }
        connection.write(Array("HTTP/1.1 200 OK\r\n\(head)\r\n".utf8) + Array(body))
        if closes { return }
      }
    }
  }

  private func read(_ url: URL, _ transport: CurlTransport, then cut: (() -> Void)?) async -> Outcome {
    do throws(TransportError) {
      let response = try await transport.send(TransportRequest(.get, url, delivery: .stream))
      var iterator = response.body.makeAsyncIterator()
      var body = try await iterator.next() ?? Data()
      cut?()
      while let more = try await iterator.next() { body += more }
      return .response(response.head.status, String(decoding: body, as: UTF8.self))
    } catch {
      return Outcome(error)
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `a body that ends with the connection is whole only after TLS's closing message`(
    isCut: Bool, isReused: Bool
  ) async throws {
    let peer = try peer("", Data("body".utf8), closes: !isCut)
    let relay = try TLSRelay(to: peer.port)
    for allowsHTTP2 in [true, false] {
      let authority = try NginxServer.shared.get().authority
      let transport = try CurlTransport {
        $0.proxy = .none
        $0.allowsHTTP2 = allowsHTTP2
        $0.certificateAuthorities = .only(.file(authority))
      }
      if isReused {
        let first = TransportRequest(.get, try relay.url("/first"), delivery: .stream)
        #expect(await transport.outcome(of: first) == .response(200, "first"))
      }
      let outcome = await read(try relay.url(), transport, then: isCut ? { relay.cut(resets: false) } : nil)
      #expect(outcome == (isCut ? .failed("lost") : .response(200, "body")))
    }
  }

  @Test func `a compressed body that is whole needs no closing message, and a cut one fails`() async throws {
    let packed = try GZip.pack(Data("body".utf8))
    for count in [packed.count, packed.count - 1] {
      let peer = try peer("Content-Encoding: gzip\r\n", packed.prefix(count), closes: false)
      let relay = try TLSRelay(to: peer.port)
      let outcome = await read(try relay.url(), try HTTP2Peer.transport()) { relay.cut(resets: false) }
      #expect(outcome == (count == packed.count ? .response(200, "body") : .failed("lost")))
    }
  }
}
#endif
