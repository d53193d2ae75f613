#if os(Linux)
import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// WebSockets over TLS and through proxies.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed: sockets over TLS are not tested"))
struct WebSocketSecurityTests {
  private let server: LoopbackServer
  private let nginx: NginxServer

  init() throws {
    nginx = try NginxServer.shared.get()
    server = try LoopbackServer()
    server.on("/echo") { request in
      .webSocket(subprotocol: request.headers["X-Client"]?.contains("the client") == true ? "known" : nil) { socket in
        while let message = try await socket.receive() { socket.send(message) }
      }
    }
  }

  private func socket(
    _ url: URL, _ configure: (inout CurlTransport.Configuration) -> Void = { _ in }
  ) throws -> WebSocket {
    let authority = nginx.authority
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.certificateAuthorities = .only(.file(authority))
      configure(&$0)
    }
    return FetchClient { $0.transport = transport }.webSocket(url) {
      $0.reconnection = .never
      $0.options.subprotocols = ["known"]
    }
  }

  /// A message comes back that is larger than a record of TLS, so that some bytes wait where no poll sees them.
  private func expectEcho(_ socket: WebSocket) async throws {
    let message = WebSocketMessage.binary(Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
    async let sent = socket.send(message)
    var events = socket.makeAsyncIterator()
    #expect(try await events.next() == .message(message))
    _ = try await sent
  }

  private func fault(of socket: WebSocket) async -> String {
    do throws(FetchError) {
      try await socket.connect()
      return "open"
    } catch {
      guard case .connection(let fault, _) = error else { return "\(error)" }
      return "\(fault)"
    }
  }

  private func echo(port: UInt16? = nil) throws -> URL { try nginx.url("/echo", of: server, port: port) }

  @Test func `a server that would rather speak HTTP/2 is spoken to over HTTP/1.1`() async throws {
    let socket = try socket(try echo())
    try await expectEcho(socket)
    try await socket.close()
  }

  @Test func `many sockets over TLS do not wait for each other`() async throws {
    let sockets = try (0..<80).map { _ in try self.socket(try echo()) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for socket in sockets { group.addTask { try await expectEcho(socket) } }
      try await group.waitForAll()
    }
  }

  @Test func `a server is judged as it is for requests`() async throws {
    #expect(await fault(of: try socket(try echo()) { $0.certificateAuthorities = .system }) == "tls")
    #expect(await fault(of: try socket(try echo(port: nginx.otherHostPort))) == "tls")
    try await expectEcho(try socket(try echo(port: nginx.otherHostPort)) { $0.insecure = ["localhost"] })
    let (pin, other) = (nginx.pin, Data(count: 32).base64EncodedString())
    try await expectEcho(try socket(try echo()) { $0.pinnedPublicKeys["localhost"] = [other, pin] })
    #expect(await fault(of: try socket(try echo()) { $0.pinnedPublicKeys["localhost"] = [other] }) == "tls")
  }

  @Test func `a client certificate is shown`() async throws {
    let (certificate, key) = (nginx.folder.appending(path: "client.pem"), nginx.folder.appending(path: "client.key"))
    let socket = try socket(try echo(port: nginx.clientCertificatePort)) {
      $0.clientCertificates["localhost"] = .init(certificate: .file(certificate), key: .file(key))
    }
    #expect(try await socket.connect() == "known")
    try await expectEcho(socket)
  }

  @Test(arguments: [true, false]) func `a proxy is asked for a tunnel, also without TLS`(isTLS: Bool) async throws {
    let tunnel = try Tunnel(.connect(answer: "HTTP/1.1 200 Established\r\n\r\n"))
    let url = isTLS ? try echo() : server.url.appending(path: "echo")
    let proxy = try #require(URL(string: "http://me:s3cret@127.0.0.1:\(tunnel.port)"))
    try await expectEcho(try socket(url) { $0.proxy = .server(proxy) })
    let heads = tunnel.asked.withLock { $0 }
    #expect(heads.count == 1)
    #expect(heads.first?.hasPrefix("CONNECT \(url.host() ?? ""):\(url.port ?? 0) HTTP/1.1\r\n") == true)
    #expect(heads.first?.contains("Proxy-Authorization: Basic") == true)
    #expect(heads.first?.contains("Sec-WebSocket") == false)
    #expect(server.requests.allSatisfy { $0.headers["Proxy-Authorization"] == nil })
  }

  @Test func `a SOCKS proxy forwards a socket`() async throws {
    let tunnel = try Tunnel(.socks(to: server.port))
    let proxy = try #require(URL(string: "socks5h://127.0.0.1:\(tunnel.port)"))
    let url = try #require(URL(string: "http://no-such-host.invalid/echo"))
    try await expectEcho(try socket(url) { $0.proxy = .server(proxy) })
  }

  @Test(arguments: [
    "HTTP/1.1 407 Who\r\n\r\n", "HTTP/1.1 502 Down\r\nContent-Length: 3\r\n\r\noh!", "rubbish\r\n\r\n", "",
  ])
  func `a proxy that refuses, breaks off or is not there is a proxy error`(answer: String) async throws {
    let tunnel = try Tunnel(.connect(answer: answer))
    let closed = try ClosedPort()
    let proxy = answer.isEmpty ? closed.url : try #require(URL(string: "http://127.0.0.1:\(tunnel.port)"))
    #expect(await fault(of: try socket(server.url.appending(path: "echo")) { $0.proxy = .server(proxy) }) == "proxy")
    #expect(server.requests.isEmpty)
    withExtendedLifetime(closed) {}
  }
}
#endif
