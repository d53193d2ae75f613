#if os(Linux)
import FetchKitTesting
import Foundation
import Testing

import FetchKit

/// Proxies that only forward bytes: tunnels, SOCKS, and proxies reached over TLS.
@Suite(.timeLimit(.minutes(10))) struct CurlTunnelTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on("/protocol") { request in .text(request.headers["X-Protocol"] ?? "") }
    server.on("/", .text("x"))
  }

  private func transport(
    through proxy: String, _ configure: (inout CurlTransport.Configuration) -> Void = { _ in }
  ) throws -> CurlTransport {
    let url = try #require(URL(string: proxy))
    return try CurlTransport {
      $0.proxy = .server(url)
      configure(&$0)
    }
  }

  @Test(.enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed"))
  func `an https request through a tunnel shows the proxy only the server's address`() async throws {
    let nginx = try NginxServer.shared.get()
    let tunnel = try Tunnel(.connect(answer: "HTTP/1.1 200 Established\r\nX-Proxy: yes\r\n\r\n"))
    let transport = try transport(through: "http://me:s3cret@127.0.0.1:\(tunnel.port)") {
      $0.certificateAuthorities = .only(.file(nginx.authority))
    }
    for delivery in [TransportRequest.Delivery.whole, .stream] {
      let request = TransportRequest(
        .get, try nginx.url("/protocol", of: server), headers: ["Authorization": "Bearer of-mine", "X-Of": "mine"],
        delivery: delivery)
      let response = try await transport.send(request)
      #expect(response.head.status == 200)
      #expect(response.head.headers["X-Proxy"] == nil)
      #expect(response.head.headers["Content-Type"] != nil)
      #expect(response.head.timings.tls != nil)
      let spoken = delivery == .whole ? "HTTP/2.0" : "HTTP/1.1"
      #expect(try await response.body.collect(upTo: 100) == Data(spoken.utf8))
    }
    let heads = tunnel.asked.withLock { $0 }
    #expect(heads.count == 2)
    for head in heads {
      #expect(head.hasPrefix("CONNECT localhost:\(nginx.port) HTTP/1.1\r\n"))
      #expect(head.contains("Proxy-Authorization: Basic \(Data("me:s3cret".utf8).base64EncodedString())\r\n"))
      #expect(!head.contains("mine"))
    }
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { $0.headers["Proxy-Authorization"] == nil && $0.headers["X-Of"] == "mine" })
  }

  @Test func `with SOCKS the URL scheme decides whether the proxy or the client resolves names`() async throws {
    let tunnel = try Tunnel(.socks(to: server.port))
    let there = try transport(through: "socks5h://127.0.0.1:\(tunnel.port)")
    #expect(
      await there.outcome(of: try #require(URL(string: "http://no-such-host.invalid/"))) == .response(200, "x"))
    let here = try transport(through: "socks5://127.0.0.1:\(tunnel.port)")
    #expect(await here.outcome(of: try #require(URL(string: "http://localhost/"))) == .response(200, "x"))
    #expect(
      await here.outcome(of: try #require(URL(string: "http://no-such-host.invalid/"))) == .failed("nameNotResolved"))
    let asked = tunnel.asked.withLock { $0 }
    #expect(asked.first == "name:no-such-host.invalid")
    #expect(asked.dropFirst().allSatisfy { $0.hasPrefix("address:") })
  }

  @Test(arguments: ["http", "socks5", "socks5h"])
  func `a host name that is too long reaches no proxy, not even by a redirect`(scheme: String) async throws {
    let tunnel = try Tunnel(.socks(to: server.port))
    let transport = try transport(through: "\(scheme)://127.0.0.1:\(tunnel.port)")
    let long = try #require(URL(string: "http://\(String(repeating: "a", count: 256)):1/"))
    #expect(await transport.outcome(of: long) == .failed("invalid request"))
    #expect(tunnel.asked.withLock(\.isEmpty))
    guard scheme == "socks5h" else { return }
    server.on("/far", .redirect(302, to: long.absoluteString))
    let client = FetchClient { $0.transport = transport }
    let far = try #require(URL(string: "http://no-such-host.invalid/far"))
    await #expect(throws: FetchError.self) { try await client.fetch(far, .data) }
    #expect(tunnel.asked.withLock { $0 } == ["name:no-such-host.invalid"])
  }

  @Test(.enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed"))
  func `a connection to an https proxy follows the TLS configuration`() async throws {
    let nginx = try NginxServer.shared.get()
    // nginx answers by the path alone, so it can serve as a proxy.
    let url = try #require(URL(string: "http://no-such-host.invalid/\(server.port)/protocol"))
    let trusting = try transport(through: "https://localhost:\(nginx.port)") {
      $0.certificateAuthorities = .only(.file(nginx.authority))
    }
    #expect(await trusting.outcome(of: url) == .response(200, "HTTP/1.1"))
    let strangers = try transport(through: "https://localhost:\(nginx.port)")
    #expect(await strangers.outcome(of: url) == .failed("tls"))
    let old = try transport(through: "https://localhost:\(nginx.oldTLSPort)") {
      $0.certificateAuthorities = .only(.file(nginx.authority))
    }
    #expect(await old.outcome(of: url) == .response(200, "HTTP/1.1"))
    let strict = try transport(through: "https://localhost:\(nginx.oldTLSPort)") {
      $0.certificateAuthorities = .only(.file(nginx.authority))
      $0.minimumTLS = .tls13
    }
    #expect(await strict.outcome(of: url) == .failed("tls"))
  }

  @Test func `a proxy that libcurl does not accept is refused, not bypassed`() throws {
    // Longer than any string libcurl accepts; a libcurl built without proxies refuses all of them.
    let long = String(repeating: "a", count: 8_100_000)
    #expect(throws: CurlTransport.SetupError.missing(.proxies)) { try transport(through: "http://\(long)") }
    #expect(throws: CurlTransport.SetupError.missing(.proxies)) {
      try CurlTransport { $0.proxy = .server(server.url, bypass: [long]) }
    }
  }
}
#endif
