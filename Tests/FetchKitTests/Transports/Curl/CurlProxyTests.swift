#if os(Linux)
import FetchKitTesting
import Foundation
import Testing

import FetchKit

@Suite(.timeLimit(.minutes(10))) struct CurlProxyTests {
  /// The request heads that the proxy received.
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

  @Test func `a request is sent through the proxy with the proxy's name and password`() async throws {
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

  @Test func `hosts in the bypass list do not use the proxy`() async throws {
    let peer = try proxy(answering: "HTTP/1.1 500 Wrong Way\r\nContent-Length: 0\r\n\r\n")
    let address = try address(peer)
    let server = try LoopbackServer()
    server.on("/", .text("x"))
    let transport = try CurlTransport { $0.proxy = .server(address, bypass: ["127.0.0.1"]) }
    #expect(await transport.outcome(of: server.url) == .response(200, "x"))
    #expect(heads.withLock { $0.isEmpty })
    let nobody = try ClosedPort()
    #expect(await transport.outcome(of: nobody.url) == .failed("refused"))
    withExtendedLifetime(nobody) {}
  }

  /// Each in its own process, because it sets the environment.
  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func `by default the environment names the proxy and the hosts that bypass it`(_ name: String) async {
    await #expect(processExitsWith: .success) { [name = name as String] in
      let (peer, heads) = try Environment.proxy()
      try Environment.set([name: "http://me:s3cret@127.0.0.1:\(peer.port)", "no_proxy": "127.0.0.1,.past.invalid"])
      let server = try LoopbackServer()
      server.on("/", .text("x"))
      let far = try #require(URL(string: "http://no-such-host.invalid/"))
      let transport = try CurlTransport()
      #expect(await transport.outcome(of: far) == .response(200, "ok"))
      #expect(await transport.outcome(of: server.url) == .response(200, "x"))
      let past = try #require(URL(string: "http://a.past.invalid/"))
      #expect(await transport.outcome(of: past) == .failed("nameNotResolved"))
      #expect(heads.withLock { $0.count } == 1)
      let credentials = Data("me:s3cret".utf8).base64EncodedString()
      #expect(heads.withLock { $0[0] }.contains("Proxy-Authorization: Basic \(credentials)\r\n"))
      let straight = try CurlTransport { $0.proxy = .none }
      #expect(await straight.outcome(of: far) == .failed("nameNotResolved"))
    }
  }

  @Test(arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy"])
  func `for https the environment's proxy variables are separate from those for http`(_ name: String) async {
    await #expect(processExitsWith: .success) { [name = name as String] in
      let (peer, heads) = try Environment.proxy(answering: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
      // With this one's upper-case name a server's clients could choose its proxy (CGI sets it from the field `Proxy`).
      try Environment.set([name: "http://127.0.0.1:\(peer.port)", "HTTP_PROXY": "http://127.0.0.1:\(peer.port)"])
      let transport = try CurlTransport()
      let far = try #require(URL(string: "https://no-such-host.invalid/"))
      #expect(await transport.outcome(of: far) == .failed("proxy"))
      #expect(heads.withLock { $0.first }?.hasPrefix("CONNECT no-such-host.invalid:443 ") == true)
      guard name != "all_proxy" else { return }
      let plain = try #require(URL(string: "http://no-such-host.invalid/"))
      #expect(await transport.outcome(of: plain) == .failed("nameNotResolved"))
    }
  }

  @Test func `a transport uses the environment as it is when the transport is created`() async {
    await #expect(processExitsWith: .success) {
      try Environment.set([:])
      let early = try CurlTransport()
      let (peer, heads) = try Environment.proxy()
      try Environment.set(["http_proxy": "http://127.0.0.1:\(peer.port)"])
      let far = try #require(URL(string: "http://no-such-host.invalid/"))
      #expect(await early.outcome(of: far) == .failed("nameNotResolved"))
      #expect(heads.withLock { $0.isEmpty })
      #expect(await (try CurlTransport()).outcome(of: far) == .response(200, "ok"))
    }
  }

  @Test func `an unreachable proxy from the environment and an unreachable server have different errors`() async {
    await #expect(processExitsWith: .success) {
      let (proxy, server) = (try ClosedPort(), try ClosedPort())
      defer { withExtendedLifetime((proxy, server)) {} }
      try Environment.set(["http_proxy": proxy.url.absoluteString, "no_proxy": "127.0.0.1"])
      let transport = try CurlTransport()
      let far = try #require(URL(string: "http://no-such-host.invalid/"))
      #expect(await transport.outcome(of: far) == .failed("proxy"))
      #expect(await transport.outcome(of: server.url) == .failed("refused"))
    }
  }

  @Test func `a proxy that refuses the tunnel or is unreachable is a proxy error`() async throws {
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

  @Test func `the headers of the proxy's CONNECT response are not in the response`() async throws {
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

/// The environment of a process that runs a single test.
private enum Environment {
  static func set(_ variables: [String: String]) throws {
    let known = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
    for name in known + known.map({ $0.uppercased() }) { unsetenv(name) }
    for (name, value) in variables { try #require(setenv(name, value, 1) == 0) }
  }

  /// A proxy that gives every request this response, and what it received.
  static func proxy(
    answering answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
  ) throws -> (RawPeer, Lock<[String]>) {
    let heads = Lock<[String]>([])
    let peer = try RawPeer { connection in
      while let head = connection.readHead() {
        heads.withLock { $0.append(head) }
        guard connection.write(answer) else { return }
      }
    }
    return (peer, heads)
  }
}
#endif
