import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct ObservationTests {
  final class Notes: EventMonitor {
    let events = Lock<[FetchEvent]>([])
    func receive(_ event: FetchEvent) { events.withLock { $0.append(event) } }
    var words: [String] {
      events.withLock { $0 }.map { event in
        switch event.kind {
        case .started: "started"
        case .sending(let attempt): "sending \(attempt)"
        case .received(let status, _): "received \(status)"
        case .redirected: "redirected"
        case .retrying: "retrying"
        case .succeeded: "succeeded"
        case .failed: "failed"
        }
      }
    }
  }

  struct Watcher: Interceptor {
    let look: @Sendable (HTTPRequest) -> Void
    func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
      look(request)
      return request
    }
  }

  @Test func `a monitor receives every step of a fetch in order`() async throws {
    let server = try LoopbackServer()
    server.on("/a", .status(503), .redirect(302, to: "/b"))
    server.on("/b", .text("x"))
    let notes = Notes()
    let client = FetchClient {
      $0.monitors = [notes]
      $0.retry = .standard
      $0.random = { 0 }
    }
    try await client.fetch(server.url.appending(path: "a"), .void)
    #expect(
      notes.words == [
        "started", "sending 1", "received 503", "retrying", "sending 2", "received 302", "redirected", "received 200",
        "succeeded",
      ])
    #expect(Set(notes.events.withLock { $0 }.map(\.id)).count == 1)
  }

  @Test func `a response that cannot be decoded is reported to the monitor as a failure`() async throws {
    let notes = Notes()
    let client = FetchClient {
      $0.transport = StubTransport(body: Data("no json".utf8))
      $0.monitors = [notes]
    }
    await #expect(throws: FetchError.self) { try await client.fetch("http://example.com/", .json(Int.self)) }
    #expect(notes.words == ["started", "sending 1", "received 200", "failed"])
    guard case .failed(.extraction) = notes.events.withLock({ $0 }).last?.kind else {
      Issue.record("the failure event has no cause")
      return
    }
  }

  @Test func `a planted secret appears in no log, error, description or command`() async throws {
    let secret = "pl4nted"
    let server = try LoopbackServer()
    let away = "\(server.url)/end?api_key=\(secret)&mine=\(secret)&page=2"
    server.on("/away", LoopbackResponse(status: 302, headers: ["Location": away, "Set-Cookie": secret]))
    server.on(
      "/end",
      LoopbackResponse(
        status: 503,
        headers: [
          "Set-Cookie": "a=\(secret)", "WWW-Authenticate": secret, "Location": away,
          "Link": "<\(away)>; rel=next, <\(away)>", "Content-Location": "//user:\(secret)@x/#\(secret)",
          "X-Mine": secret,
        ]))
    let lines = Lock<[String]>([])
    let client = FetchClient {
      $0.monitors = [LogMonitor { line in lines.withLock { $0.append(line) } }]
      $0.redactedQueryItems = ["mine"]
      $0.redactedHeaders = ["X-Mine"]
      $0.headers = ["Authorization": "Bearer \(secret)"]
      $0.retry = RetryPolicy(maxAttempts: 2)
      $0.random = { 0 }
    }
    var parts = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
    parts.path = "/away"
    (parts.user, parts.password, parts.fragment) = (secret, secret, secret)
    parts.queryItems = ["token", "Mine", "x-amz-signature"].map { URLQueryItem(name: $0, value: secret) }
    parts.queryItems?.append(URLQueryItem(name: "page", value: "1"))
    let request = HTTPRequest(
      .post, try #require(parts.url),
      headers: ["Cookie": secret, "X-Mine": secret, "Proxy-Authorization": secret, "Referer": "\(away)&page=3"],
      body: .form([URLQueryItem(name: "password", value: secret), URLQueryItem(name: "user", value: "me")]))
    var texts: [String] = []
    do throws(FetchError) {
      try await client.fetch(request, .void)
      Issue.record("a 503 did not throw")
    } catch {
      texts += [error.description, String(reflecting: error), "\(error.localizedDescription)"]
      var dumped = ""
      dump(error, to: &dumped)
      texts.append(dumped)
      guard case .status(let failure, _) = error else {
        Issue.record(error)
        return
      }
      #expect(failure.headers["x-mine"] == secret)
      texts += ["\(failure)", failure.headers.description, String(reflecting: failure)]
    }
    let command = try client.curlCommand(for: request)
    let headers = HTTPHeaders(request.headers.filter { $0.name != "X-Mine" })
    let response = FetchResponse(headers: headers, url: request.url)
    texts += lines.withLock { $0 } + [command, request.description, headers.description, response.description]
    #expect(texts.count > 8)
    for text in texts { #expect(!text.contains(secret), "\(text)") }
    #expect(command.contains("page=1") && command.contains("user=me") && command.contains("--request 'POST'"))
    #expect(command.contains("page=3"))
    #expect(lines.withLock { $0 }.contains { $0.contains("page=1") })
  }

  @Test func `descriptions and dumps of requests and responses show no query and no user`() async throws {
    let url = try #require(URL(string: "http://user:s3cret@example.com/a?mine=s3cret#s3cret"))
    let stub = StubTransport { request in
      request.url.path == "/a" ? .stub(status: 302, headers: ["Location": "/b?mine=s3cret"]) : .stub()
    }
    let client = FetchClient { $0.transport = stub }
    let response = try await client.fetch(HTTPRequest(.get, url), .response)
    #expect(response.redirects.map(\.to.query) == ["mine=s3cret"])
    let sent = try #require(stub.requests.first)
    let shown: [Any] = [HTTPRequest(.get, url), response, response.redirects, sent, stub.requests]
    for value in shown {
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      #expect(text.contains("example.com") && !text.contains("s3cret"), "\(text)")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a stream's descriptions and dumps show no query and no user on any transport`(
    kind: TransportUnderTest
  ) async throws {
    let server = try LoopbackServer()
    server.on("/a", .text("x"))
    let url = server.url.appending(path: "a").appending(queryItems: [URLQueryItem(name: "mine", value: "s3cret")])
    let sent = TransportRequest(.get, url, delivery: .stream)
    let client = FetchClient {
      $0.transport = kind.transport
      $0.redactedQueryItems = ["mine"]
    }
    let stream = try await client.stream(url)
    let shown: [Any] = [stream, stream.makeAsyncIterator(), try await kind.transport.send(sent)]
    for value in shown {
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      #expect(!text.contains("s3cret"), "\(text)")
    }
  }

  @Test func `a client's own secret field names are hidden wherever its headers go`() async throws {
    let stub = StubTransport { _ in .stub(headers: ["X-Mine": "pl4nted", "X-Other": "shown"]) }
    let adapted = Lock("")
    let client = FetchClient {
      $0.transport = stub
      $0.redactedHeaders = ["X-MINE"]
      $0.headers = ["x-mine": "pl4nted"]
      $0.interceptors = [Watcher { request in adapted.withLock { $0 = "\(request.headers)" } }]
    }
    let url = try #require(URL(string: "http://example.com/"))
    let response = try await client.fetch(url, .response)
    var copy = response.headers
    copy.append("pl4nted", for: "X-Mine")
    var dumped = ""
    dump(response, to: &dumped)
    let streamed = try await client.stream(url).response.headers.description
    for text in [dumped, copy.description, adapted.withLock { $0 }, streamed] {
      #expect(!text.contains("pl4nted") && text.contains("<redacted>"), "\(text)")
    }
    #expect(copy.description.contains("X-Other: shown"))
    #expect(copy.values(for: "x-mine") == ["pl4nted", "pl4nted"])
  }

  @Test func `requests, headers and redirects are printed and dumped without secrets`() async throws {
    let server = try LoopbackServer()
    let (from, to) = ("/from?api_key=pl4nted&page=1", "/to?token=pl4nted#pl4nted")
    server.on("/from", .redirect(302, to: to))
    server.on("/to", .text("x"))
    let stub = StubTransport(headers: ["Set-Cookie": "pl4nted"])
    var parts = try #require(URLComponents(string: "\(server.url)\(from)"))
    (parts.user, parts.password) = ("me", "pl4nted")
    let url = try #require(parts.url)
    let request = HTTPRequest(.get, url, headers: ["Authorization": "pl4nted", "Referer": url.absoluteString])
    let response = try await FetchClient().fetch(request, .response)
    _ = try await FetchClient { $0.transport = stub }.fetch(request, .void)
    #expect(response.redirects.count == 1 && stub.requests.count == 1)
    let values: [Any] = [
      request, response, response.redirects, response.redirects[0], Array(request.headers), request.headers[0],
      stub.requests, stub.requests[0], ResponseHead(status: 302, headers: ["Location": "\(server.url)\(from)"]),
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("pl4nted"), "\(text)")
        #expect(!text.isEmpty)
      }
    }
  }

  #if os(Linux) || os(macOS)
  @Test func `a shell takes a curl command apart into the words of the request`() throws {
    let client = FetchClient {
      $0.headers = ["Accept": "x"]
      $0.userAgent = nil
    }
    let values = ["it's", "'\u{301}; exit 3 #", "$(exit 4)`exit 5`", "\\'\u{FE0F}\" &&", "a\u{200D}'b\u{200D}'"]
    for value in values {
      let url = try #require(URL(string: "http://example.com/"))
      let command = try client.curlCommand(for: HTTPRequest(.get, url, headers: ["X-Value": value]))
      let shell = Process()
      let output = Pipe()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "printf '%s\\n' \(command)"]
      shell.standardOutput = output
      try shell.run()
      let words = try output.fileHandleForReading.readToEnd() ?? Data()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0)
      #expect(
        Array(words) == Array("curl\n--header\nX-Value: \(value)\n--header\nAccept: x\nhttp://example.com/\n".utf8),
        "\(command)")
    }
  }
  #endif

  @Test func `a curl command can be pasted into a shell`() throws {
    let client = FetchClient { $0.headers = ["Accept": "it's", "User-Agent": "me"] }
    let url = try #require(URL(string: "http://example.com/a'b?x=1"))
    #expect(
      try client.curlCommand(for: url)
        == #"curl --header 'Accept: it'\''s' --header 'User-Agent: me' 'http://example.com/a'\''b?x=1'"#)
    let upload = HTTPRequest(.put, url, body: .file(URL(filePath: "/tmp/x")))
    #expect(try client.curlCommand(for: upload).contains("--request 'PUT'"))
    #expect(try client.curlCommand(for: upload).contains("--data-binary '@/tmp/x'"))
    #expect(try client.curlCommand(for: HTTPRequest(.head, url)).contains("--head"))
    // For curl a name with a bare colon removes the field, and an `@` names a file.
    let form = RequestBody.data(Data("@/etc/passwd".utf8), contentType: "application/x-www-form-urlencoded")
    var odd = HTTPRequest(.post, url, headers: ["X-Empty": ""], body: form)
    odd.options.idempotency = .key("k")
    #expect(try client.curlCommand(for: odd).contains("--header 'Idempotency-Key: k'"))
    #expect(try client.curlCommand(for: odd).contains("--header 'X-Empty;'"))
    #expect(try client.curlCommand(for: odd).contains("--data-raw '@/etc/passwd'"))
  }
}
