import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct RecorderTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "cassette-\(UUID().uuidString).json")

  private func fetch(_ recorder: Recorder, _ request: some HTTPRequestConvertible) async -> String {
    let client = FetchClient { $0.transport = recorder }
    do throws(FetchError) {
      return try await client.fetch(request, .string)
    } catch {
      return error.word
    }
  }

  @Test func `recorded responses and faults are replayed without the server`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let server = try LoopbackServer()
    server.on("/a", .text("first"), .text("second"))
    server.on(.post, "/echo") { .data($0.body) }
    server.on("/cut", .text("hello").cut(after: .body(bytes: 1)))
    server.on("/bytes", .data(Data([0xFF, 0x00, 0x22])))
    server.on("/packed", LoopbackResponse.text("unpacked").gzipped())
    let post = HTTPRequest(.post, server.url.appending(path: "echo"), body: .data(Data("body".utf8)))
    let recorder = try Recorder(.record(URLSessionTransport()), cassette: file)
    var recorded: [String] = []
    for path in ["a", "a", "cut", "no", "packed"] {
      recorded.append(await fetch(recorder, server.url.appending(path: path)))
    }
    recorded.append(await fetch(recorder, post))
    _ = await fetch(recorder, server.url.appending(path: "bytes"))
    try recorder.save()
    #expect(recorded == ["first", "second", "lost", "status 404", "unpacked", "body"])
    server.stop()

    let player = try Recorder(.replay, cassette: file)
    var replayed: [String] = []
    for path in ["a", "a", "cut", "no", "packed"] {
      replayed.append(await fetch(player, server.url.appending(path: path)))
    }
    replayed.append(await fetch(player, post))
    #expect(replayed == recorded)
    let bytes = try await FetchClient { $0.transport = player }.fetch(server.url.appending(path: "bytes"), .data)
    #expect(bytes == Data([0xFF, 0x00, 0x22]))
    // All used, another body, never recorded.
    #expect(await fetch(player, server.url.appending(path: "a")) == "invalid")
    let other = HTTPRequest(.post, server.url.appending(path: "echo"), body: .data(Data("other".utf8)))
    #expect(await fetch(player, other) == "invalid")
  }

  @Test func `missing exchanges are recorded in addition to the existing ones`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let stub = StubTransport { request in .stub(json: "\"\(request.url.path)\"") }
    let first = try Recorder(.complete(stub), cassette: file)
    _ = await fetch(first, "http://example.com/a")
    try first.save()
    let second = try Recorder(.complete(stub), cassette: file)
    #expect(await fetch(second, "http://example.com/a") == "\"/a\"")
    #expect(await fetch(second, "http://example.com/b") == "\"/b\"")
    #expect(second.recordings.count == 2)
    #expect(stub.requests.count == 2)
  }

  @Test func `no planted secret is written to the cassette, and matching needs none`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let secret = "pl4nted"
    let json =
      #"{"access_token" : "pl4nted", "user": {"Password":"pl4nted\"x", "name": "token"}, "refreshToken": "pl4nted", "mine": "pl4nted", "n": [1, "key"]}"#
    let next = "</next?page=2&mine=\(secret)>; rel=\"next\""
    let stub = StubTransport(
      headers: ["Set-Cookie": secret, "X-Mine": secret, "Link": next], body: Data(json.utf8))
    func request(_ secret: String) throws -> HTTPRequest {
      let url = try #require(URL(string: "http://u:\(secret)@example.com/?api_key=\(secret)&mine=\(secret)&page=1"))
      let form = RequestBody.form([URLQueryItem(name: "password", value: secret), URLQueryItem(name: "a", value: "b")])
      return HTTPRequest(.post, url, headers: ["Authorization": secret, "X-Mine": secret], body: form)
    }
    let recorder = try Recorder(
      .record(stub), cassette: file, redactedQueryItems: ["mine"], redactedHeaders: ["X-Mine"])
    _ = await fetch(recorder, try request(secret))
    try recorder.save()
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(!text.contains(secret))
    #expect(text.contains("page=1") && text.contains("a=b") && text.contains("page=2"))
    let player = try Recorder(.replay, cassette: file, redactedQueryItems: ["mine"], redactedHeaders: ["X-Mine"])
    let replayed = await fetch(player, try request("another"))
    let expected =
      #"{"access_token" : "<redacted>", "user": {"Password":"<redacted>", "name": "token"}, "refreshToken": "<redacted>", "mine": "<redacted>", "n": [1, "key"]}"#
    #expect(replayed == expected)
  }

  @Test func `a compressed body is not recorded, because its secrets cannot be hidden`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = try Recorder(.record(StubTransport { _ in .stub(json: "1") }), cassette: file)
    let body = try RequestBody.json(["password": "hunter2"]).gzipped()
    let request = try HTTPRequest(.post, #require(URL(string: "http://example.com/")), body: body)
    #expect(await fetch(recorder, request) == "1")
    try recorder.save()
    struct Cassette: Decodable { var recordings: [Recording] }
    let cassette = try JSONDecoder().decode(Cassette.self, from: Data(contentsOf: file))
    #expect(cassette.recordings.map { $0.request.body == nil } == [true])
    #expect(try await fetch(Recorder(.replay, cassette: file), request) == "1")
  }

  @Test func `a form response is recorded without its secrets, in a folder created for the cassette`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cassettes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a/b.json")
    let stub = StubTransport(
      headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
      body: Data("access_token=pl4nted&scope=repo&token_type=bearer".utf8))
    let recorder = try Recorder(.record(stub), cassette: file)
    #expect(await fetch(recorder, "http://example.com/").contains("pl4nted"))
    let long = [URLQueryItem(name: "a", value: String(repeating: "x", count: 5000))]
    let items = long + [URLQueryItem(name: "password", value: "pl4nted")]
    let post = try HTTPRequest(.post, #require(URL(string: "http://example.com/")), body: .form(items))
    _ = await fetch(recorder, post)
    try recorder.save()
    #expect(try !String(contentsOf: file, encoding: .utf8).contains("pl4nted"))
    let replayed = await fetch(try Recorder(.replay, cassette: file), "http://example.com/")
    #expect(replayed.contains("scope=repo") && replayed.contains("token_type=bearer"))
  }

  @Test func `a body that is falsely labelled as a form is recorded unchanged except for its secrets`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let bodies = [Data(#"{"access_token":"pl4nted","a":1}"#.utf8), Data([0xFF, 0x00, 0xC3, 0x28])]
    let stub = StubTransport { request in
      .stub(
        headers: ["Content-Type": "application/x-www-form-urlencoded"], body: bodies[request.url.path == "/0" ? 0 : 1])
    }
    let recorder = try Recorder(.record(stub), cassette: file)
    for number in 0...1 { _ = await fetch(recorder, "http://example.com/\(number)") }
    try recorder.save()
    #expect(try !String(contentsOf: file, encoding: .utf8).contains("pl4nted"))
    let replaying = try Recorder(.replay, cassette: file)
    let client = FetchClient { $0.transport = replaying }
    let url = try #require(URL(string: "http://example.com/1"))
    #expect(try await client.fetch(HTTPRequest(.get, url), .data) == bodies[1])
  }

  @Test(arguments: ["/@me", "@me", "users/@me", "../@me", "package@1.0/readme", "/a:b/@me?page=2"])
  func `a redirect to a path with an at sign is replayed with the same location`(location: String) async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let stub = StubTransport { request in
      request.url.path == "/docs/start"
        ? .stub(status: 302, headers: ["Location": location]) : .stub(body: Data(request.url.absoluteString.utf8))
    }
    let recorder = try Recorder(.record(stub), cassette: file)
    let recorded = await fetch(recorder, "http://example.com/docs/start")
    #expect(recorded == URL(string: location, relativeTo: URL(string: "http://example.com/docs/start"))?.absoluteString)
    try recorder.save()
    #expect(await fetch(try Recorder(.replay, cassette: file), "http://example.com/docs/start") == recorded)
  }

  @Test func `a Link field whose title looks like a URL is replayed unchanged`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let link = #"</a?page=2>; title="C#"; rel="next", </@b>; title="x <1>? \"@\" //me@x"; rel=last"#
    let recorder = try Recorder(.record(StubTransport(headers: ["Link": link])), cassette: file)
    _ = await fetch(recorder, "http://example.com/a")
    try recorder.save()
    let player = try Recorder(.replay, cassette: file)
    let response = try await FetchClient { $0.transport = player }.fetch("http://example.com/a", .response)
    #expect(response.headers["Link"] == link)
  }

  @Test func `a missing or malformed cassette is an error`() throws {
    #expect(throws: (any Error).self) { try Recorder(.replay, cassette: file) }
    try Data("no json".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(throws: (any Error).self) { try Recorder(.replay, cassette: file) }
  }
}
