#if os(Linux)
import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct CurlProxyTests {
  /// What the proxy was sent.
  let heads = Lock<[String]>([])

  private func proxy(answering answer: String) throws -> RawPeer {
    try RawPeer { [heads] connection in
      while let head = connection.readHead() {
        heads.withLock { $0.append(head) }
        guard connection.write(answer) else { return }
      }
    }
  }

  private func address(_ peer: RawPeer, user: String = "") throws -> URL {
    try #require(URL(string: "http://\(user)127.0.0.1:\(peer.port)"))
  }

  @Test func `a request goes through the proxy, with its name and password`() async throws {
    let peer = try proxy(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    let address = try address(peer, user: "me:s3cret@")
    let transport = try CurlTransport { $0.proxy = .server(address) }
    let url = try #require(URL(string: "http://no-such-host.invalid/path?q=1"))
    #expect(await transport.outcome(of: url) == .response(200, "ok"))
    let head = try #require(heads.withLock { $0.first })
    #expect(head.hasPrefix("GET http://no-such-host.invalid/path?q=1 HTTP/1.1\r\n"))
    let credentials = Data("me:s3cret".utf8).base64EncodedString()
    #expect(head.contains("Proxy-Authorization: Basic \(credentials)\r\n"))
    #expect(!"\(CurlTransport.Proxy.server(address))".contains("s3cret"))
  }

  @Test func `hosts that are named go past the proxy`() async throws {
    let peer = try proxy(answering: "HTTP/1.1 500 Wrong Way\r\nContent-Length: 0\r\n\r\n")
    let address = try address(peer)
    let server = try LoopbackServer()
    server.on("/", .text("x"))
    let transport = try CurlTransport { $0.proxy = .server(address, bypass: ["127.0.0.1"]) }
    #expect(await transport.outcome(of: server.url) == .response(200, "x"))
    #expect(heads.withLock { $0.isEmpty })
  }

  @Test func `a proxy that refuses the tunnel, or is not there, is the proxy's fault`() async throws {
    let peer = try proxy(answering: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    let address = try address(peer)
    let transport = try CurlTransport { $0.proxy = .server(address) }
    let url = try #require(URL(string: "https://no-such-host.invalid/"))
    #expect(await transport.outcome(of: url) == .failed("proxy"))
    #expect(heads.withLock { $0.first }?.hasPrefix("CONNECT no-such-host.invalid:443 ") == true)
    let nobody = try #require(URL(string: "http://127.0.0.1:1"))
    let absent = try CurlTransport { $0.proxy = .server(nobody) }
    #expect(await absent.outcome(of: url) == .failed("proxy"))
    let nowhere = try #require(URL(string: "http://me:s3cret@no-such-host.invalid:80"))
    let unknown = try CurlTransport { $0.proxy = .server(nowhere) }
    do throws(TransportError) {
      _ = try await unknown.send(TransportRequest(.get, url))
      Issue.record("an unknown proxy answered")
    } catch {
      #expect(Outcome(error) == .failed("proxy"))
      #expect(!"\(error)".contains("s3cret"))
    }
  }

  @Test func `the fields of the proxy's answer to CONNECT are not the response's`() async throws {
    let peer = try RawPeer { connection in
      _ = connection.readHead()
      connection.write("HTTP/1.1 200 Established\r\nX-Proxy: yes\r\n\r\n")
    }
    let address = try address(peer)
    let transport = try CurlTransport { $0.proxy = .server(address) }
    let url = try #require(URL(string: "https://no-such-host.invalid/"))
    #expect(await transport.outcome(of: url) == .failed("tls"))
  }
}
#endif
