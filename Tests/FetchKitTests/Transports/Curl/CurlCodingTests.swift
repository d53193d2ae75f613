#if os(Linux)
import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

/// Bodies that a server has encoded more than once, or with codings that were not requested. Decompressing 20 KB of
/// three layers takes libcurl seconds, before the first byte is delivered and without checking any timeout.
@Suite(.timeLimit(.minutes(10))) struct CurlCodingTests {
  let server: LoopbackServer
  let transport: CurlTransport
  /// "hello hello hello hello" compressed with gzip, and that compressed again.
  let once = Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA==") ?? Data()
  let twice =
    Data(base64Encoded: "H4sIAAAAAAACA5Pv5mAAASbm0x5nT54MP+Ggzvg40LZXHCgGAERjZgwcAAAA")
    ?? Data()

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTransport { $0.proxy = .none }
    server.on("/known", .text("known"))
  }

  private func serve(_ fields: String, _ body: Data) {
    server.on("/", .raw(Data("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8) + body))
  }

  @Test(arguments: [
    "Content-Encoding: gzip, gzip", "Content-Encoding: gzip\r\nCONTENT-ENCODING: x-gzip",
    "Content-Encoding: identity, gzip\r\nX-Other: 1\r\nContent-Encoding:,gzip,", "Content-Encoding: gzip,\r\n gzip",
  ])
  func `a body that is compressed more than once is refused, and the next request succeeds`(fields: String) async {
    serve(fields, twice)
    #expect(await transport.outcome(of: server.url) == .failed("malformed"))
    #expect(await transport.outcome(of: server.url.appending(path: "known")) == .response(200, "known"))
  }

  @Test func `a body that is delivered compressed may have any number of content codings`() async throws {
    serve("Content-Encoding: gzip, gzip\r\nContent-Length: \(twice.count)", twice)
    let own = TransportRequest(.get, server.url, headers: ["Accept-Encoding": "gzip"])
    #expect(try await transport.send(own).body.data == twice)
    let stream = TransportRequest(.get, server.url, delivery: .stream)
    #expect(try await transport.send(stream).body.collect(upTo: 1000) == twice)
  }

  @Test func `the content coding identity is ignored`() async {
    serve("Content-Encoding: identity, gzip, none\r\nContent-Length: \(once.count)", once)
    #expect(await transport.outcome(of: server.url) == .response(200, "hello hello hello hello"))
  }

  @Test(arguments: ["gzip", "gzip, chunked", "chunked\r\nTransfer-Encoding: gzip"])
  func `a transfer coding that was not requested is refused`(coding: String) async throws {
    var body = once
    if coding.contains("chunked") {
      body = Data("\(String(once.count, radix: 16))\r\n".utf8) + once + Data("\r\n0\r\n\r\n".utf8)
    }
    serve("Transfer-Encoding: \(coding)", body)
    #expect(await transport.outcome(of: server.url) == .failed("malformed"))
    let stream = TransportRequest(.get, server.url, delivery: .stream)
    #expect(await transport.outcome(of: stream) == .failed("malformed"))
    #expect(await transport.outcome(of: server.url.appending(path: "known")) == .response(200, "known"))
  }

  @Test func `a response without a body may name any content coding`() async throws {
    server.on("/", .raw(Data("HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip, gzip\r\n\r\n".utf8)))
    #expect(await transport.outcome(of: server.url) == .response(304, ""))
    serve("Content-Encoding: gzip, gzip\r\nContent-Length: 20", Data())
    #expect(await transport.outcome(of: TransportRequest(.head, server.url)) == .response(200, ""))
  }
}
#endif
