import Foundation
import Testing

@testable import FetchKit

struct WebSocketHandshakeTests {
  private static let url = URL(string: "http://server.example.com:8080/chat?room=1")!
  private let nonce = Array("the sample nonce".utf8)

  private func handshake(_ subprotocols: [String] = [], compression: Bool = true) -> WebSocketHandshake {
    var options = WebSocketOptions()
    options.subprotocols = subprotocols
    options.compression = compression
    return WebSocketHandshake(options, nonce: nonce)
  }

  @Test func `the RFC's sample key has the RFC's answer`() {
    #expect(handshake().key == "dGhlIHNhbXBsZSBub25jZQ==")
    #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test(arguments: [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
  ]) func `digests are those of FIPS 180`(text: String, digest: String) {
    #expect(SHA1.digest(of: text).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == digest)
  }

  @Test func `the request has the fields of the handshake and those of the caller`() throws {
    let request = TransportRequest(
      .get, Self.url, headers: ["Authorization": "Bearer t", "Origin": "https://x.example"])
    let text = String(decoding: try handshake(["v2", "v1"]).bytes(of: request), as: UTF8.self)
    #expect(
      text == """
        GET /chat?room=1 HTTP/1.1\r
        Host: server.example.com:8080\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Protocol: v2, v1\r
        Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r
        Authorization: Bearer t\r
        Origin: https://x.example\r
        \r

        """)
  }

  @Test(arguments: [
    TransportRequest(.post, url), TransportRequest(.get, url, headers: ["Sec-WebSocket-Key": "x"]),
    TransportRequest(.get, url, headers: ["upgrade": "h2c"]),
  ]) func `a request that the handshake cannot be is refused`(request: TransportRequest) {
    #expect(throws: TransportError.self) { try handshake().bytes(of: request) }
  }

  @Test func `a subprotocol that is not a token is refused`() {
    #expect(throws: TransportError.self) { try handshake(["a b"]).bytes(of: TransportRequest(.get, Self.url)) }
  }

  private func headers(_ changes: HTTPHeaders = [:]) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    ]
    for field in changes { headers[field.name] = field.value }
    return headers
  }

  @Test func `a response is accepted in any case and with other tokens`() throws {
    let agreement = try handshake().agreement(headers(["Upgrade": "WebSocket", "Connection": "keep-alive, upgrade"]))
    #expect(agreement == WebSocketHandshake.Agreement())
    #expect(try handshake(["v2", "v1"]).agreement(headers(["Sec-WebSocket-Protocol": "v1"])).subprotocol == "v1")
  }

  @Test(
    arguments: [
      ["Upgrade": "h2c"], ["Connection": "close"], ["Sec-WebSocket-Accept": "AAAA"], ["Sec-WebSocket-Protocol": "v3"],
      ["Sec-WebSocket-Protocol": "V1"], ["Sec-WebSocket-Extensions": "x-other"],
      ["Sec-WebSocket-Extensions": "permessage-deflate, permessage-deflate"],
      ["Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits=8"],
      ["Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits=16"],
      ["Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"],
      ["Sec-WebSocket-Extensions": "permessage-deflate; server_no_context_takeover=1"],
      ["Sec-WebSocket-Extensions": "permessage-deflate; server_no_context_takeover; server_no_context_takeover"],
      ["Sec-WebSocket-Extensions": "permessage-deflate; other"],
    ] as [HTTPHeaders]) func `a response that breaks the rules is malformed`(changes: HTTPHeaders)
  {
    #expect(throws: TransportError.self) { try handshake(["v1"]).agreement(headers(changes)) }
  }

  @Test func `compression that was not offered is malformed`() {
    #expect(throws: TransportError.self) {
      try handshake(compression: false).agreement(headers(["Sec-WebSocket-Extensions": "permessage-deflate"]))
    }
  }

  @Test func `parameters of compression are agreed on`() throws {
    let value =
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=9; "
      + "client_max_window_bits=\"10\""
    let deflate = try handshake().agreement(headers(["Sec-WebSocket-Extensions": value])).deflate
    var expected = DeflateAgreement()
    (expected.serverResets, expected.clientResets, expected.windowBits) = (true, true, 10)
    #expect(deflate == expected)
  }
}
