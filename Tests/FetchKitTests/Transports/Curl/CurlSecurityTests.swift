#if os(Linux)
import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(
  .timeLimit(.minutes(10)),
  // Needs the programs nginx and openssl: apt-get install nginx-light openssl.
  .enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed: TLS and HTTP/2 are not tested"))
struct CurlSecurityTests {
  let server: LoopbackServer
  let nginx: NginxServer

  init() throws {
    nginx = try NginxServer.shared.get()
    server = try LoopbackServer()
    server.on("/protocol") { request in .text(request.headers["X-Protocol"] ?? "") }
    server.on("/client") { request in .text(request.headers["X-Client"] ?? "") }
    server.on("/connection") { request in .text(request.headers["X-Connection"] ?? "") }
  }

  private func transport(_ configure: (inout CurlTransport.Configuration) -> Void = { _ in }) throws -> CurlTransport {
    let authority = nginx.authority
    return try CurlTransport {
      $0.proxy = .none
      $0.certificateAuthorities = .only(.file(authority))
      configure(&$0)
    }
  }

  @Test func `a server is verified with the configured authorities and speaks HTTP/2`() async throws {
    let response = try await transport().send(TransportRequest(.get, try nginx.url("/protocol", of: server)))
    #expect(response.body.data == Data("HTTP/2.0".utf8))
    #expect(response.head.version == ResponseHead.Version(major: 2, minor: 0))
    #expect(!response.head.isInsecure)
    let connect = try #require(response.head.timings.connect)
    let tls = try #require(response.head.timings.tls)
    #expect(connect <= tls)
  }

  @Test func `HTTP/1.1 is spoken over TLS when HTTP/2 is not offered`() async throws {
    let url = try nginx.url("/protocol", of: server)
    #expect(await (try transport { $0.allowsHTTP2 = false }).outcome(of: url) == .response(200, "HTTP/1.1"))
    let stream = TransportRequest(.get, url, delivery: .stream)
    #expect(await (try transport()).outcome(of: stream) == .response(200, "HTTP/1.1"))
    #expect(await (try transport { $0.streamsOverHTTP2 = true }).outcome(of: stream) == .response(200, "HTTP/2.0"))
  }

  @Test func `concurrent requests share one HTTP/2 connection`() async throws {
    let transport = try transport()
    let url = try nginx.url("/connection", of: server)
    let connections = await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<50 { group.addTask { await transport.outcome(of: url) } }
      return await group.reduce(into: [Outcome]()) { if !$0.contains($1) { $0.append($1) } }
    }
    #expect(connections.count == 1)
  }

  @Test func `requests continue when a server ends its HTTP/2 connections`() async throws {
    let transport = try transport()
    let url = try nginx.url("/connection", of: server, port: nginx.shortLivedPort)
    var connections: [String] = []
    for _ in 0..<20 {
      guard case .response(200, let connection) = await transport.outcome(of: url) else {
        Issue.record("a request failed")
        return
      }
      if connections.last != connection { connections.append(connection) }
    }
    #expect(connections.count >= 6)
    await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<6 { group.addTask { await transport.outcome(of: url) } }
      for await outcome in group {
        if case .response(200, _) = outcome { continue }
        Issue.record("\(outcome)")
      }
    }
  }

  // Not over HTTP/2, where nginx 1.22 reports no session as resumed.
  @Test func `a new connection resumes the TLS session of an earlier one`() async throws {
    server.on("/session") { request in .text(request.headers["X-Session"] ?? "") }
    let transport = try transport { $0.allowsHTTP2 = false }
    let url = try nginx.url("/session", of: server, port: nginx.shortLivedPort)
    var sessions: [Outcome] = []
    for _ in 0..<9 { sessions.append(await transport.outcome(of: url)) }
    // Each connection serves three requests.
    let (new, resumed) = (Outcome.response(200, "."), Outcome.response(200, "r"))
    #expect(sessions == [new, new, new] + Array(repeating: resumed, count: 6))
  }

  @Test func `a server certificate from an unknown authority is refused`() async throws {
    let transport = try CurlTransport { $0.proxy = .none }
    #expect(await transport.outcome(of: try nginx.url("/protocol", of: server)) == .failed("tls"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a certificate for another host is refused`() async throws {
    let transport = try transport()
    #expect(
      await transport.outcome(of: try nginx.url("/protocol", of: server, port: nginx.otherHostPort)) == .failed("tls"))
    #expect(server.requests.isEmpty)
  }

  @Test func `verification is off only for the named host, and the response says so`() async throws {
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.insecure = ["LocalHost."]
    }
    let response = try await transport.send(TransportRequest(.get, try nginx.url("/protocol", of: server)))
    #expect(response.head.isInsecure)
    let other = try await transport.send(
      TransportRequest(.get, try nginx.url("/protocol", of: server, port: nginx.otherHostPort)))
    #expect(other.head.isInsecure)
    #expect(await transport.outcome(of: try nginx.url("/protocol", of: server, host: "127.0.0.1")) == .failed("tls"))
    #expect(try await !transport.send(TransportRequest(.get, server.url.appending(path: "client"))).head.isInsecure)
    let wildcard = try CurlTransport {
      $0.proxy = .none
      $0.insecure = ["*"]
    }
    #expect(await wildcard.outcome(of: try nginx.url("/protocol", of: server)) == .failed("tls"))
  }

  @Test func `a pinned key is required in addition to a valid certificate`() async throws {
    let pin = nginx.pin
    let other = Data(count: 32).base64EncodedString()
    let right = try transport { $0.pinnedPublicKeys["localhost"] = [other, pin] }
    #expect(await right.outcome(of: try nginx.url("/protocol", of: server)) == .response(200, "HTTP/2.0"))
    let wrong = try transport { $0.pinnedPublicKeys["LOCALHOST"] = [other] }
    #expect(await wrong.outcome(of: try nginx.url("/protocol", of: server)) == .failed("tls"))
    // Pinned for one host only.
    #expect(
      await wrong.outcome(of: try nginx.url("/protocol", of: server, host: "127.0.0.1")) == .response(200, "HTTP/2.0"))
    // A pin does not replace a valid certificate.
    let untrusted = try CurlTransport {
      $0.proxy = .none
      $0.pinnedPublicKeys["localhost"] = [pin]
    }
    #expect(await untrusted.outcome(of: try nginx.url("/protocol", of: server)) == .failed("tls"))
  }

  @Test func `a client certificate is sent only to its own host`() async throws {
    let folder = nginx.folder
    let url = try nginx.url("/client", of: server, port: nginx.clientCertificatePort)
    let plain = CurlTransport.ClientCertificate(
      certificate: .file(folder.appending(path: "client.pem")), key: .file(folder.appending(path: "client.key")))
    let shown = try transport { $0.clientCertificates["localhost"] = plain }
    #expect(await shown.outcome(of: url) == .response(200, "CN=the client"))
    let locked = CurlTransport.ClientCertificate(
      certificate: .data(try Data(contentsOf: folder.appending(path: "client.pem"))),
      key: .data(try Data(contentsOf: folder.appending(path: "locked.key"))), passphrase: "s3cret")
    let unlocked = try transport { $0.clientCertificates["localhost"] = locked }
    #expect(await unlocked.outcome(of: url) == .response(200, "CN=the client"))
    let hidden = try await transport { $0.clientCertificates["127.0.0.1"] = plain }
      .send(TransportRequest(.get, url)).head
    #expect(hidden.status == 400)
    var wrong = locked
    wrong.passphrase = "wrong"
    let refused = try transport { $0.clientCertificates["localhost"] = wrong }
    #expect(await refused.outcome(of: url) == .failed("tls"))
    #expect(!"\(locked)".contains("s3cret"))
  }

  @Test func `authorities can be given as data, alone or beside the system's`() async throws {
    let url = try nginx.url("/protocol", of: server)
    let own = try Data(contentsOf: nginx.authority)
    for authorities in [
      CurlTransport.CertificateAuthorities.only(.data(own)), .systemAnd(.data(own)), .systemAnd(.file(nginx.authority)),
    ] {
      let trusting = try transport { $0.certificateAuthorities = authorities }
      #expect(await trusting.outcome(of: url) == .response(200, "HTTP/2.0"))
    }
  }

  @Test func `data that is not PEM is an invalid configuration`() {
    for configure: (inout CurlTransport.Configuration) -> Void in [
      { $0.certificateAuthorities = .only(.data(Data("x".utf8))) },
      { $0.certificateAuthorities = .systemAnd(.data(Data())) },
      { $0.clientCertificates["a"] = .init(certificate: .data(Data("x".utf8)), key: .data(Data("y".utf8))) },
      { $0.idleConnectionTimeout = .zero }, { $0.maxConnectionAge = .seconds(-1) },
    ] {
      #expect(throws: CurlTransport.SetupError.self) { try CurlTransport(configure) }
    }
  }

  @Test func `TLS older than the minimum is refused`() async throws {
    let url = try nginx.url("/protocol", of: server, port: nginx.oldTLSPort)
    #expect(await (try transport()).outcome(of: url) == .response(200, "HTTP/1.1"))
    #expect(await (try transport { $0.minimumTLS = .tls13 }).outcome(of: url) == .failed("tls"))
  }

  @Test func `request and response bodies are sent over HTTP/2`() async throws {
    server.on("/echo") { .data($0.body) }
    let transport = try transport { $0.streamsOverHTTP2 = true }
    let payload = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let response = try await transport.send(
      TransportRequest(.post, try nginx.url("/echo", of: server), body: RequestBody(.data(payload))))
    #expect(response.body.data == payload)
    let rest = Offsets(payload)
    let unknownLength = RequestBody(.stream(length: nil) { { rest.next() } }, isOneShot: true)
    let streamed = try await transport.send(
      TransportRequest(.post, try nginx.url("/echo", of: server), body: unknownLength, delivery: .stream))
    #expect(try await streamed.body.collect(upTo: .max) == payload)
  }

  @Test func `a slow reader over HTTP/2 receives everything and delays no other stream`() async throws {
    let total = 8 << 20
    server.on("/big", LoopbackResponse(body: .repeated(Data(repeating: 7, count: 64 << 10), count: total >> 16)))
    let transport = try transport { $0.streamsOverHTTP2 = true }
    let request = TransportRequest(.get, try nginx.url("/big", of: server), delivery: .stream)
    let response = try await transport.send(request)
    #expect(response.head.version?.major == 2)
    for _ in 0..<20 {
      #expect(await transport.outcome(of: try nginx.url("/protocol", of: server)) == .response(200, "HTTP/2.0"))
    }
    #expect(try await response.body.collect(upTo: .max).count == total)
  }
}
#endif
