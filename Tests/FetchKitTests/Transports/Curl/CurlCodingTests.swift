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

  @Test func `a body whose coding the caller has asked for is delivered as it was sent`() async throws {
    serve("Content-Encoding: gzip, gzip\r\nContent-Length: \(twice.count)", twice)
    for delivery in [TransportRequest.Delivery.whole, .stream] {
      let own = TransportRequest(.get, server.url, headers: ["Accept-Encoding": "gzip"], delivery: delivery)
      let response = try await transport.send(own)
      #expect(try await response.body.collect(upTo: 1000) == twice)
      #expect(response.head.codingRemoved == nil)
    }
  }

  /// Each with "hello hello hello hello", and what makes it incomplete.
  private static let codings: [(name: String, body: Data)] = [
    ("gzip", Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA==")),
    ("x-gzip", Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA==")),
    ("deflate", Data(base64Encoded: "eNrLSM3JyVfIQCcBaAMIsQ==")),
    ("deflate", Data(base64Encoded: "y0jNyclXyEAnAQ==")),
  ].map { ($0.0, $0.1 ?? Data()) }

  @Test(arguments: [TransportRequest.Delivery.whole, .stream], codings.indices)
  func `a compressed body is decompressed even if compression was not requested`(
    delivery: TransportRequest.Delivery, index: Int
  ) async throws {
    let (name, body) = Self.codings[index]
    serve("Content-Encoding: \(name)\r\nContent-Length: \(body.count)", body)
    for accepted in [nil, "identity"] {
      var request = TransportRequest(.get, server.url, delivery: delivery)
      request.headers["Accept-Encoding"] = accepted
      let response = try await transport.send(request)
      #expect(try await response.body.collect(upTo: 1000) == Data("hello hello hello hello".utf8))
      #expect(response.head.codingRemoved == name)
    }
  }

  @Test(arguments: [TransportRequest.Delivery.whole, .stream], codings.indices)
  func `compressed data that ends early inside a complete body is an error`(
    delivery: TransportRequest.Delivery, index: Int
  ) async throws {
    let (name, body) = Self.codings[index]
    for count in 1..<body.count {
      serve("Content-Encoding: \(name)\r\nContent-Length: \(count)", body.prefix(count))
      let outcome = await transport.outcome(of: TransportRequest(.get, server.url, delivery: delivery))
      #expect(outcome == .failed("lost"), "\(count) bytes")
    }
    serve("Content-Encoding: \(name)\r\nContent-Length: 0", Data())
    #expect(await transport.outcome(of: TransportRequest(.get, server.url, delivery: delivery)) == .response(200, ""))
  }

  @Test func `several gzip members are one body, and anything else after one is an error`() async {
    serve("Content-Encoding: gzip\r\nContent-Length: \(2 * once.count)", once + once)
    let text = "hello hello hello hello"
    #expect(await transport.outcome(of: server.url) == .response(200, text + text))
    for (rest, outcome) in [(Data([0]), "lost"), (Data("more".utf8), "malformed"), (once.prefix(4), "lost")] {
      serve("Content-Encoding: gzip\r\nContent-Length: \(once.count + rest.count)", once + rest)
      #expect(await transport.outcome(of: server.url) == .failed(outcome))
    }
  }

  @Test func `a part of a compressed body is delivered as it was sent`() async throws {
    let part = once.dropFirst(3)
    let head = "HTTP/1.1 206 Partial Content\r\nContent-Encoding: gzip\r\nContent-Range: bytes 3-\(once.count - 1)/"
    server.on("/", .raw(Data("\(head)\(once.count)\r\nContent-Length: \(part.count)\r\n\r\n".utf8) + part))
    let request = TransportRequest(.get, server.url, headers: ["Accept-Encoding": "identity", "Range": "bytes=3-"])
    #expect(try await transport.send(request).body.data == Data(part))
  }

  @Test(
    .enabled(if: (try? CurlLibrary.load().decoders.contains("br")) == true, "this libcurl does not decode brotli"),
    arguments: [TransportRequest.Delivery.whole, .stream])
  func `libcurl decodes what zlib does not know`(delivery: TransportRequest.Delivery) async throws {
    let brotli = Data([0x0B, 0x02, 0x80]) + Data("hello".utf8) + [0x03]
    serve("Content-Encoding: br\r\nContent-Length: \(brotli.count)", brotli)
    let response = try await transport.send(TransportRequest(.get, server.url, delivery: delivery))
    #expect(try await response.body.collect(upTo: 100) == Data("hello".utf8))
    #expect(response.head.codingRemoved == "br")
  }

  @Test func `a body that decompresses a thousandfold reaches a slow reader in order and in small pieces`() async throws
  {
    let packed = try GZip.pack(Data(count: 32 << 20))
    serve("Content-Encoding: gzip\r\nContent-Length: \(packed.count)", packed)
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.streamBuffer = 10_000
    }
    var request = TransportRequest(.get, server.url, delivery: .stream)
    request.limits.body = 64 << 20
    var total = 0
    for try await piece in try await transport.send(request).body {
      #expect(piece.count <= 128 << 10)
      total += piece.count
    }
    #expect(total == 32 << 20)
  }

  @Test func `a response that does not say where its body ends is refused only if that is required`() async throws {
    let closing = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
    let responses: [(head: String, body: Data, isKnown: Bool)] = [
      ("", Data("x".utf8), false), ("Content-Length: 1\r\n", Data("x".utf8), true),
      ("Transfer-Encoding: chunked\r\n", Data("1\r\nx\r\n0\r\n\r\n".utf8), true),
      ("Content-Encoding: gzip\r\n", once, true), ("Content-Encoding: gzip\r\n", Data(), false),
    ]
    for response in responses {
      server.on("/", .raw(Data("\(closing)\(response.head)\r\n".utf8) + response.body))
      for delivery in [TransportRequest.Delivery.whole, .stream] {
        var request = TransportRequest(.get, server.url, delivery: delivery)
        guard case .response(200, _) = await transport.outcome(of: request) else {
          Issue.record("\(response.head) failed without the requirement")
          continue
        }
        request.limits.requiresKnownLength = true
        let outcome = await transport.outcome(of: request)
        #expect((outcome == .failed("malformed")) == !response.isKnown, "\(response.head)")
      }
    }
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
