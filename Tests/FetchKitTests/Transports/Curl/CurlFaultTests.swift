#if os(Linux)
import CLarderCurl
import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct CurlFaultTests {
  let server: LoopbackServer
  let transport: CurlTransport

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTransport { $0.proxy = .none }
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let response: LoopbackResponse
    let outcome: Outcome

    init(_ name: String, _ response: LoopbackResponse, _ outcome: Outcome) {
      testDescription = name
      self.response = response
      self.outcome = outcome
    }
  }

  static let faults = [
    Fault("closed immediately", .text("x").cut(after: .start), .failed("lost")),
    Fault("reset immediately", .text("x").cut(after: .start, by: .reset), .failed("lost")),
    Fault("half a status line", .raw("HTTP/1.1 200"), .failed("lost")),
    // libcurl itself reports the next two as success.
    Fault("only a status line", .raw("HTTP/1.1 200 OK\r\n"), .failed("malformed")),
    Fault("a head without its end", .raw("HTTP/1.1 200 OK\r\nA: b\r\n"), .failed("malformed")),
    Fault("an interim response and nothing else", .raw("HTTP/1.1 103 Early Hints\r\n\r\n"), .failed("malformed")),
    Fault("reset in the head", .text("x").cut(after: .head(bytes: 20), by: .reset), .failed("lost")),
    Fault("a body cut short", .text("hello world").cut(after: .body(bytes: 4)), .failed("lost")),
    Fault("a body reset", .text("hello world").cut(after: .body(bytes: 4), by: .reset), .failed("lost")),
    Fault("chunks without an end", .text("hello").chunked(size: 2).cut(after: .body(bytes: 9)), .failed("lost")),
    Fault(
      "chunks that are none", .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"), .failed("malformed")
    ),
    Fault("not HTTP", .raw("SSH-2.0-OpenSSH_9.2\r\n\r\n"), .failed("malformed")),
    Fault("a line without a colon", .raw("HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"), .failed("malformed")),
    Fault("a status of two digits", .raw("HTTP/1.1 20 OK\r\n\r\n"), .failed("malformed")),
    Fault(
      "white space before the first field", .raw("HTTP/1.1 200 OK\r\n  X-Fold: a\r\nContent-Length: 2\r\n\r\nok"),
      .failed("malformed")),
    Fault("a tab before the first field", .raw("HTTP/1.1 200 OK\r\n\tX: a\r\n\r\n"), .failed("malformed")),
    Fault(
      "a field in two lines", .raw("HTTP/1.1 200 OK\r\nA: b\r\n  c\r\nContent-Length: 2\r\n\r\nok"),
      .response(200, "ok")),
    Fault("a length in hexadecimal", .length("0x5"), .failed("malformed")),
    Fault("a length that is not a number", .length("five"), .failed("malformed")),
    Fault("a length with a sign", .length("+5"), .failed("malformed")),
    Fault("a length below zero", .length("-5"), .failed("malformed")),
    Fault("a length with trailing text", .length("5abc"), .failed("malformed")),
    Fault("an empty length", .length(""), .failed("malformed")),
    Fault("a length beyond any integer", .length("99999999999999999999"), .failed("malformed")),
    Fault("two lengths, the second smaller", .length("5", "2"), .failed("malformed")),
    Fault("two lengths, the second larger", .length("2", "5"), .failed("malformed")),
    Fault("two lengths in one field", .length("5, 2"), .failed("malformed")),
    Fault("the same length twice", .length("5", "5"), .response(200, "hello")),
    Fault(
      "a length that chunks override",
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 1x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
      .response(200, "ok")),
    Fault(
      "gzip that is none", .raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"),
      .failed("malformed")),
    Fault("gzip with a wrong checksum", .packed { $0[$0.count - 8] ^= 1 }, .failed("malformed")),
    Fault("gzip with a wrong length", .packed { $0[$0.count - 2] ^= 1 }, .failed("malformed")),
    Fault("gzip with a wrong byte in the data", .packed { $0[12] ^= 0xFF }, .failed("malformed")),
    Fault("gzip with trailing bytes", .packed { $0 += Data("more".utf8) }, .failed("malformed")),
    Fault(
      "no space after a colon", .raw("HTTP/1.1 200 OK\r\nFoo:bar\r\nContent-Length: 2\r\n\r\nok"), .response(200, "ok")),
    Fault("a body that ends with the connection", .text("to the end").untilClose(), .response(200, "to the end")),
    Fault(
      "an interim response before the final one", .text("late").preceded(by: "103 Early Hints"), .response(200, "late")),
    Fault(
      "a trailer",
      .raw(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nExpires: never\r\n\r\n"),
      .response(200, "ok")),
    Fault(
      "an announced challenge", .status(401, headers: ["WWW-Authenticate": "Basic realm=x"], "who?"),
      .response(401, "who?")),
    Fault("a redirect", .redirect(302, to: "/elsewhere"), .response(302, "")),
    Fault("no content", .status(204), .response(204, "")),
  ]

  /// The effect of a response on libcurl shows when its handle and its connection are used again.
  @Test(arguments: 1...3) func `the response after a faulty one is its own`(_: Int) async throws {
    for fault in Self.faults.shuffled() {
      server.on("/fault", fault.response)
      server.on("/next", .text(fault.testDescription))
      let outcome = await transport.outcome(of: server.url.appending(path: "fault"))
      #expect(outcome == fault.outcome, "\(fault)")
      for _ in 0..<2 {
        let next = await transport.outcome(of: server.url.appending(path: "next"))
        #expect(next == .response(200, fault.testDescription))
      }
    }
  }

  @Test(arguments: faults, [TransportRequest.Delivery.whole, .stream])
  func `each faulty response causes its error, and each unusual one is delivered`(
    _ fault: Fault, _ delivery: TransportRequest.Delivery
  ) async {
    if delivery == .stream, fault.testDescription.hasPrefix("gzip") { return }  // streams are not decompressed
    server.on("/fault", fault.response)
    var request = TransportRequest(.get, server.url.appending(path: "fault"), delivery: delivery)
    request.allowsResend = false
    let outcome = await transport.outcome(of: request)
    #expect(outcome == fault.outcome)
  }

  @Test func `a refused connection, an unknown host and TLS to a plain port have different errors`() async throws {
    let closed = try ClosedPort()
    let plain = try RawPeer { $0.write("HTTP/1.1 400 Bad Request\r\n\r\n") }
    let secure = try #require(URL(string: "https://127.0.0.1:\(plain.port)/"))
    #expect(await transport.outcome(of: secure) == .failed("tls"))
    #expect(await transport.outcome(of: closed.url) == .failed("refused"))
    withExtendedLifetime(closed) {}
    let unknown = try #require(URL(string: "http://no-such-host.invalid/"))
    #expect(await transport.outcome(of: unknown) == .failed("nameNotResolved"))
  }

  @Test func `header bytes that are not UTF-8 are read as Latin-1`() async throws {
    server.on(
      "/", .raw(Data("HTTP/1.1 200 OK\r\nX-Name: gr".utf8) + [0xFC] + Data("n\r\nContent-Length: 0\r\n\r\n".utf8)))
    let response = try await transport.send(TransportRequest(.get, server.url))
    #expect(response.head.headers["X-Name"] == "grün")
  }

  @Test func `header names keep their spelling, duplicates stay separate, folded lines are joined`() async throws {
    server.on(
      "/",
      .raw(
        "HTTP/1.1 200 OK\r\netag: x\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Long: one\r\n  two\r\nContent-Length: 0\r\n\r\n"
      ))
    let headers = try await transport.send(TransportRequest(.get, server.url)).head.headers
    #expect(headers.map(\.name) == ["etag", "Set-Cookie", "Set-Cookie", "X-Long", "Content-Length"])
    #expect(headers.values(for: "set-cookie") == ["a=1", "b=2"])
    #expect(headers["X-Long"] == "one two")
  }

  @Test func `a POST whose connection died counts as sent even if no other connection can be opened`() async throws {
    // libcurl tries another connection by itself, and reports that one's error.
    let last = try LoopbackServer()
    last.on(.get, "/", .text("ready"))
    last.on(.post, "/") { _ in
      last.stop()
      return .text("never")
    }
    #expect(await transport.outcome(of: last.url) == .response(200, "ready"))
    let request = TransportRequest(.post, last.url, body: RequestBody(.data(Data("10 euros".utf8))))
    #expect(await transport.outcome(of: request) == .failed("lost"))
    #expect(last.requests.map(\.method) == [.get, .post])
    #expect(last.acceptedConnections == 1)
  }

  @Test func `a POST is not sent twice when its kept-alive connection dies`() async throws {
    server.on("/pay", .text("ready"), .text("x").cut(after: .start), .text("paid twice"))
    let url = server.url.appending(path: "pay")
    #expect(await transport.outcome(of: url) == .response(200, "ready"))
    var request = TransportRequest(.post, url, body: RequestBody(.data(Data("10 euros".utf8))))
    #expect(!request.allowsResend)
    #expect(await transport.outcome(of: request) == .failed("lost"))
    #expect(server.requests.map(\.method) == [.get, .post])
    // The same, declared repeatable.
    server.on("/may", .text("ready"), .text("x").cut(after: .start), .text("done"))
    request.url = server.url.appending(path: "may")
    request.allowsResend = true
    #expect(await transport.outcome(of: request.url) == .response(200, "ready"))
    #expect(await transport.outcome(of: request) == .response(200, "done"))
    #expect(server.requests.suffix(2).map(\.body) == [Data("10 euros".utf8), Data("10 euros".utf8)])
  }

  @Test func `an idempotent request is sent again when its kept-alive connection dies`() async throws {
    server.on("/", .text("one"), .text("x").cut(after: .start), .text("two"))
    #expect(await transport.outcome(of: server.url) == .response(200, "one"))
    #expect(await transport.outcome(of: server.url) == .response(200, "two"))
    #expect(server.acceptedConnections == 2)
  }

  @Test func `connections are kept alive and reused`() async throws {
    server.on("/", .text("x"))
    let first = try await transport.send(TransportRequest(.get, server.url)).head.timings
    for _ in 0..<20 { #expect(await transport.outcome(of: server.url) == .response(200, "x")) }
    let last = try await transport.send(TransportRequest(.get, server.url)).head.timings
    #expect(server.acceptedConnections == 1)
    let connect = try #require(first.connect)
    let firstByte = try #require(first.firstByte)
    let total = try #require(first.total)
    #expect(connect <= firstByte)
    #expect(firstByte <= total)
    #expect(first.tls == nil)
    #expect(last.connect == nil)
    #expect(last.domainLookup == nil)
    #expect(last.firstByte != nil)
  }

  @Test func `cookies are not stored, and the environment's credentials are not sent`() async throws {
    server.on("/", .status(401, headers: ["Set-Cookie": "a=1", "WWW-Authenticate": "Basic realm=x"]))
    for _ in 0..<2 { _ = try await transport.send(TransportRequest(.get, server.url)) }
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { $0.headers["Cookie"] == nil && $0.headers["Authorization"] == nil })
  }

  @Test func `a request too large for libcurl is an invalid request`() async throws {
    server.on("/", .text("x"))
    let headers: HTTPHeaders = ["X-Large": String(repeating: "a", count: 2 << 20)]
    let outcome = await transport.outcome(of: TransportRequest(.get, server.url, headers: headers))
    // Newer versions of libcurl accept more.
    #expect(outcome == (server.requests.isEmpty ? .failed("invalid request") : .response(200, "x")))
  }

  @Test func `error codes of newer versions of libcurl have the same meaning`() throws {
    let loop = try #require(transport.engine as? CurlLoop)
    let transfer = try CurlTransfer(TransportRequest(.get, server.url), loop.settings)
    let lacking = CurlFaults.error(for: CURLE_NOT_BUILT_IN, of: transfer, now: 0)
    #expect(Outcome(lacking) == .failed("tls"))
    _ = transfer.state.start()
    _ = transfer.state.attempt(on: CurlTransferState.Connection(), mayRepeat: false)
    for code in [CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100)] {
      #expect(Outcome(CurlFaults.error(for: code, of: transfer, now: 0)) == .failed("headers over 65536"))
    }
    for text in [
      "Illegal or missing hexadecimal sequence in chunked-encoding", "chunk hex-length char not a hex digit: 0x78",
      "invalid chunk size: ''",
    ] {
      #expect(CurlFaults.isChunkError(text))
    }
    let url = transfer.request.url
    for text in ["port \(server.port) after 0 ms: no", "port \(server.port) over proxy p after 0 ms: no"] {
      #expect(CurlFaults.names(url, "Failed to connect to 127.0.0.1 \(text)") == !text.contains("proxy"))
    }
    for text in [" after 0 ms: no", " over proxy p after 0 ms: no"] {
      #expect(CurlFaults.names(url, "Failed to connect to 127.0.0.1:\(server.port)\(text)") == !text.contains("proxy"))
    }
  }

  @Test func `the passwords in the user's .netrc are not sent`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      server.on("/", .status(401, headers: ["WWW-Authenticate": "Basic realm=x"]))
      let home = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: home) }
      try Data("machine 127.0.0.1 login me password s3cret\n".utf8).write(to: home.appending(path: ".netrc"))
      try #require(setenv("HOME", home.path, 1) == 0)
      let transport = try CurlTransport { $0.proxy = .none }
      #expect(try await transport.send(TransportRequest(.get, server.url)).head.status == 401)
      #expect(server.requests.map { $0.headers["Authorization"] } == [nil])
    }
  }

  @Test func `an error never shows a secret`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/path?api_key=s3cret"))
    var request = TransportRequest(.get, url, headers: ["Authorization": "Bearer s3cret", "A": "s3cret\r\nB: c"])
    do {
      _ = try await transport.send(request)
      Issue.record("a line break was sent")
    } catch {
      #expect(!"\(error)".contains("s3cret"))
    }
    request.headers["A"] = nil
    do {
      _ = try await transport.send(request)
      Issue.record("port 1 answered")
    } catch {
      #expect(!"\(error)".contains("s3cret"))
    }
  }
}

extension LoopbackResponse {
  /// `hello hello hello hello` compressed with gzip, then altered.
  fileprivate static func packed(_ change: (inout Data) -> Void) -> LoopbackResponse {
    var data = Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAJwHjUT2NFwAAAA==") ?? Data()
    change(&data)
    return LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(data))
  }

  /// `hello` in chunks of these lengths.
  fileprivate static func length(_ lengths: String...) -> LoopbackResponse {
    .raw("HTTP/1.1 200 OK\r\n" + lengths.map { "Content-Length: \($0)\r\n" }.joined() + "\r\nhello")
  }
}
#endif
