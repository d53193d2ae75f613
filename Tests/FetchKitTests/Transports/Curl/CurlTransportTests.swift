#if os(Linux)
@testable import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CurlTransportTests {
  let server: LoopbackServer
  let transport: CurlTransport

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTransport { $0.proxy = .none }
  }

  @Test func `a response has its status, headers, version, address and body`() async throws {
    server.on(.get, "/hello", .text("hello"))
    let response = try await transport.send(TransportRequest(.get, server.url.appending(path: "hello")))
    #expect(response.head.status == 200)
    #expect(response.head.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(response.head.version == ResponseHead.Version(major: 1, minor: 1))
    #expect(response.head.remoteAddress == "127.0.0.1")
    #expect(!response.head.isInsecure)
    #expect(response.body.data == Data("hello".utf8))
  }

  @Test func `a request carries its own headers and the few that the transport adds`() async throws {
    server.on("/", .text("x"))
    let headers: HTTPHeaders = ["X-Empty": "", "X-Blank": "  ", "X-Two": "1", "x-two": "2", "X-Word": "grüß"]
    _ = try await transport.send(TransportRequest(.get, server.url, headers: headers))
    let sent = server.requests[0].headers
    let names = sent.map { $0.name.lowercased() }.sorted()
    #expect(names == ["accept-encoding", "host", "x-blank", "x-empty", "x-two", "x-two", "x-word"])
    #expect(sent["X-Empty"] == "")
    #expect(sent["X-Blank"] == "")
    #expect(sent.values(for: "X-Two") == ["1", "2"])
    #expect(sent["X-Word"] == "grüß")
  }

  @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"])
  func `every method is sent unchanged`(_ name: String) async throws {
    server.on("/", .text("x"))
    let response = try await transport.send(TransportRequest(HTTPMethod(rawValue: name), server.url))
    let request = try #require(server.requests.first)
    #expect(request.method.rawValue == name)
    #expect(request.headers["Content-Length"] == (["POST", "PUT", "PATCH"].contains(name) ? "0" : nil))
    #expect(request.headers["Content-Type"] == nil)
    #expect(response.body.data == Data((name == "HEAD" ? "" : "x").utf8))
  }

  @Test func `a path is sent unchanged, without the fragment`() async throws {
    server.on("*", .text("x"))
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a/../b%2Fc?q=a+b%20c#fragment"))
    _ = try await transport.send(TransportRequest(.get, url))
    #expect(server.requests[0].target == "/a/../b%2Fc?q=a+b%20c")
  }

  @Test func `a URL relative to another is resolved`() async throws {
    server.on("/base/file", .text("x"))
    let base = try #require(URL(string: "/base/", relativeTo: server.url))
    let url = try #require(URL(string: "file", relativeTo: base))
    #expect(await transport.outcome(of: url) == .response(200, "x"))
  }

  @Test func `invalid requests are refused before anything is sent`() async throws {
    let url = server.url
    server.on("*", .text("x"))
    let text = RequestBody(.data(Data("x".utf8)))
    let invalid = [
      TransportRequest(.get, try #require(URL(string: "file:///etc/passwd"))),
      TransportRequest(.get, try #require(URL(string: "ftp://127.0.0.1/"))),
      TransportRequest(.get, try #require(URL(string: "127.0.0.1"))),
      TransportRequest(.get, try #require(URL(string: "//127.0.0.1/"))),
      TransportRequest(.get, try #require(URL(string: "http:///path"))),
      TransportRequest(.get, try #require(URL(string: "http://user:password@127.0.0.1:\(server.port)/"))),
      TransportRequest(.get, try #require(URL(string: "http://127.0.0.1:99999/"))),
      TransportRequest("GE T", url),
      TransportRequest("", url),
      TransportRequest("CONNECT", url),
      TransportRequest(.get, url, headers: ["a": "b\r\nc: d"]),
      TransportRequest(.get, url, headers: ["a": "b\nc: d"]),
      TransportRequest(.get, url, headers: ["a": "b\0c"]),
      TransportRequest(.get, url, headers: ["a b": "c"]),
      TransportRequest(.get, url, headers: ["a:": "c"]),
      TransportRequest(.get, url, headers: ["": "c"]),
      TransportRequest(.get, url, headers: ["Content-Length": "5"]),
      TransportRequest(.get, url, body: text),
      TransportRequest(.head, url, body: text),
      TransportRequest(.post, url, headers: ["Transfer-Encoding": "chunked"], body: text),
      TransportRequest(.post, url, headers: ["Content-Length": "7"], body: text),
      TransportRequest(.post, url, headers: ["Content-Length": "-1"], body: text),
      TransportRequest(.post, url, body: RequestBody(.data(Data("x".utf8)), contentType: "a\r\nb: c")),
    ]
    for request in invalid {
      let outcome = await transport.outcome(of: request)
      #expect(outcome == .failed("invalid request"), "\(request.method) \(request.url) \(request.headers)")
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a whole body is decompressed and reports its original coding`() async throws {
    // "hello hello hello hello" compressed with gzip.
    let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA=="))
    server.on("/", LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(packed)))
    let response = try await transport.send(TransportRequest(.get, server.url))
    #expect(response.body.data == Data("hello hello hello hello".utf8))
    #expect(response.head.headers["Content-Encoding"] == "gzip")
    let offered = try #require(server.requests[0].headers["Accept-Encoding"])
    #expect(offered.contains("gzip"))
  }

  @Test(
    .enabled(if: (try? CurlLibrary.load().version < 0x08_05_00) == true, "libcurl 8.5 and later refuse it"),
    arguments: ["utf-8", "aws-chunked", "GZIP, none-such", "x-unknown"])
  func `a body with an unknown content coding is delivered unchanged`(encoding: String) async throws {
    let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA=="))
    server.on("/", LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(packed)))
    for framing in [LoopbackResponse.Framing.length(nil), .chunked(size: 3), .untilClose] {
      server.on(
        "/odd",
        LoopbackResponse(headers: ["Content-Encoding": encoding], body: .data(Data("as it is".utf8)), framing: framing))
      #expect(await transport.outcome(of: server.url.appending(path: "odd")) == .response(200, "as it is"))
      // And the next body is decompressed again.
      #expect(await transport.outcome(of: server.url) == .response(200, "hello hello hello hello"))
    }
  }

  @Test func `a body is delivered compressed if the caller sets Accept-Encoding`() async throws {
    let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA=="))
    server.on("/", LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(packed)))
    let request = TransportRequest(.get, server.url, headers: ["accept-encoding": "gzip"])
    #expect(try await transport.send(request).body.data == packed)
    #expect(server.requests[0].headers.values(for: "Accept-Encoding") == ["gzip"])
  }

  @Test func `a host may be an IPv6 address`() async throws {
    let peer = try RawPeer(.ipv6) { connection in
      guard let head = connection.readHead() else { return }
      let isNamed = head.contains("Host: [::1]:")
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\(isNamed ? "ok" : "no")")
    }
    let response = try await transport.send(TransportRequest(.get, try peer.url(host: "[::1]")))
    #expect(response.body.data == Data("ok".utf8))
    #expect(response.head.remoteAddress == "::1")
  }

  @Test func `a host may be a name`() async throws {
    server.on("/", .text("x"))
    let url = try #require(URL(string: "http://LOCALHOST:\(server.port)/"))
    let response = try await transport.send(TransportRequest(.get, url))
    #expect(response.head.status == 200)
    #expect(response.head.timings.domainLookup != nil)
  }

  @Test func `many concurrent requests each receive their own response`() async throws {
    server.on("/echo/{word}") { .text($0.parameters["word"] ?? "") }
    let transport = transport
    let url = server.url
    let right = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<500 {
        group.addTask {
          let request = TransportRequest(
            .get, url.appending(path: "echo/\(number)"), delivery: number % 3 == 0 ? .stream : .whole)
          return await transport.outcome(of: request) == .response(200, "\(number)")
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(right == 500)
  }

  @Test func `no more connections to a host are opened than configured`() async throws {
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.connectionsPerHost = 3
    }
    server.on("/", .text("x"))
    let url = server.url
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<30 { group.addTask { #expect(await transport.outcome(of: url) == .response(200, "x")) } }
    }
    #expect(server.acceptedConnections <= 3)
    #expect(server.requests.count == 30)
  }

  @Test func `releasing the last reference closes the connections and ends the thread`() async throws {
    let server = server
    server.on("/", .text("x"))
    var transport: CurlTransport? = try CurlTransport { $0.proxy = .none }
    _ = try await transport?.send(TransportRequest(.get, server.url))
    #expect(server.openConnections == 1)
    transport = nil
    await server.allConnectionsClosed()
  }

  @Test func `a streamed body retains its transport`() async throws {
    server.on("/", LoopbackResponse(body: .repeated(Data(repeating: 7, count: 10_000), count: 100)))
    let body = try await CurlTransport { $0.proxy = .none }
      .send(TransportRequest(.get, server.url, delivery: .stream)).body
    var count = 0
    for try await chunk in body { count += chunk.count }
    #expect(count == 1_000_000)
  }
}
#endif
