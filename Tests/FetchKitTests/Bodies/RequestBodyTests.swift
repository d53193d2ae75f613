import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct RequestBodyTests {
  let server: LoopbackServer
  let client = FetchClient()

  init() throws {
    server = try LoopbackServer()
    server.on("/echo") { .data($0.body) }
  }

  private func echo(_ body: RequestBody) async throws -> (String, LoopbackRequest) {
    let before = server.requests.count
    let text = try await client.fetch(HTTPRequest(.post, server.url.appending(path: "echo"), body: body), .string)
    return (text, server.requests[before])
  }

  @Test func `JSON, form, data and file bodies are sent with their content types`() async throws {
    let (json, jsonRequest) = try await echo(.json(["a": 1]))
    #expect(json == #"{"a":1}"#)
    #expect(jsonRequest.headers["Content-Type"] == "application/json")
    #expect(jsonRequest.headers["Content-Length"] == "7")

    let items = [
      URLQueryItem(name: "a b", value: "c&d=e+f ü~*"), URLQueryItem(name: "x", value: nil),
      URLQueryItem(name: "y", value: "%20"),
    ]
    let (form, formRequest) = try await echo(.form(items))
    #expect(form == "a+b=c%26d%3De%2Bf+%C3%BC%7E*&x=&y=%2520")
    #expect(formRequest.headers["Content-Type"] == "application/x-www-form-urlencoded")

    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("from a file".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (text, fileRequest) = try await echo(.file(file, contentType: "text/plain"))
    #expect(text == "from a file")
    #expect(fileRequest.headers["Content-Type"] == "text/plain")
  }

  @Test func `a missing body file is a request body error`() async throws {
    do throws(FetchError) {
      let body = RequestBody.file(URL(filePath: "/nowhere/at/all"))
      try await client.fetch(HTTPRequest(.put, server.url.appending(path: "echo"), body: body), .void)
      Issue.record("the fetch succeeded")
    } catch {
      guard case .requestBody = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func `a multipart form is encoded as RFC 7578 says, files included`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "a \"b\".bin")
    let payload = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    try payload.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var form = MultipartForm(boundary: "xYz")
    form.append("Fargo\r\n", named: "title\r\n\"")
    form.append(Data("{}".utf8), named: "json", filename: "x.json", contentType: "application/json\r\nX: y")
    form.append(file: file, named: "poster", contentType: "image/jpeg")
    let body = try form.body()
    let request = HTTPRequest(.post, server.url.appending(path: "echo"), body: body)
    let sent = try await client.fetch(request, .data)
    var expected = Data(
      """
      --xYz\r
      Content-Disposition: form-data; name="title%0D%0A%22"\r
      \r
      Fargo\r
      \r
      --xYz\r
      Content-Disposition: form-data; name="json"; filename="x.json"\r
      Content-Type: application/jsonX: y\r
      \r
      {}\r
      --xYz\r
      Content-Disposition: form-data; name="poster"; filename="a %22b%22.bin"\r
      Content-Type: image/jpeg\r
      \r

      """.utf8)
    expected += payload + Data("\r\n--xYz--\r\n".utf8)
    #expect(sent == expected)
    #expect(server.requests[0].headers["Content-Type"] == "multipart/form-data; boundary=xYz")
    guard case .stream(let length, _) = body.content else {
      Issue.record("the form body is not a stream")
      return
    }
    #expect(length == Int64(expected.count))
    // The body can be sent again.
    #expect(try await client.fetch(request, .data) == expected)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a body file behind a symbolic link is sent whole`(kind: TransportUnderTest) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, link) = (folder.appending(path: "f"), folder.appending(path: "link"))
    let payload = Data(repeating: 0x61, count: 1000)
    try payload.write(to: file)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    var form = MultipartForm(boundary: "xYz")
    form.append(file: link, named: "x", filename: "f")
    var direct = MultipartForm(boundary: "xYz")
    direct.append(payload, named: "x", filename: "f")
    let client = FetchClient { $0.transport = kind.transport }
    let url = server.url.appending(path: "echo")
    let expected = try await client.fetch(HTTPRequest(.post, url, body: direct.body()), .string)
    #expect(try await client.fetch(HTTPRequest(.post, url, body: form.body()), .string) == expected)
    #expect(try await client.fetch(HTTPRequest(.post, url, body: .file(link)), .data) == payload)
  }

  /// Three bytes, opened as often as it is sent.
  private func stream(length: Int64?, opened: Lock<Int> = Lock(0)) -> RequestBody {
    RequestBody(
      .stream(length: length) {
        opened.withLock { $0 += 1 }
        let rest = Lock([Data("a".utf8), Data(), Data("bc".utf8)])
        return { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
      }, contentType: "text/plain")
  }

  @Test(arguments: TransportUnderTest.allCases, [3, nil] as [Int64?])
  func `a part can be a stream, which is opened again for a retry`(
    kind: TransportUnderTest, length: Int64?
  ) async throws {
    let bodies = Lock<[Data]>([])
    server.on("/busy") { request in
      bodies.withLock { $0.append(request.body) }
      return .status(bodies.withLock { $0.count } == 1 ? 503 : 200)
    }
    let opened = Lock(0)
    var form = MultipartForm(boundary: "xYz")
    form.append(stream(length: length, opened: opened), named: "s", filename: "s.txt")
    form.append(try .json(["a": 1]), named: "json")
    let body = try form.body()
    guard case .stream(let total, _) = body.content else {
      Issue.record("the form body is not a stream")
      return
    }
    #expect((total != nil) == (length != nil) && !body.isOneShot)
    let client = FetchClient {
      $0.transport = kind.transport
      $0.retry = .standard
      $0.random = { 0 }
    }
    var request = HTTPRequest(.post, server.url.appending(path: "busy"), body: body)
    request.options.idempotency = .declared
    try await kind.uploading { [request] in try await client.fetch(request, .void) }
    let expected = Data(
      """
      --xYz\r
      Content-Disposition: form-data; name="s"; filename="s.txt"\r
      Content-Type: text/plain\r
      \r
      abc\r
      --xYz\r
      Content-Disposition: form-data; name="json"\r
      Content-Type: application/json\r
      \r
      {"a":1}\r
      --xYz--\r

      """.utf8)
    #expect(bodies.withLock { $0 } == [expected, expected])
    #expect(total.map { $0 == Int64(expected.count) } ?? true)
    #expect(opened.withLock { $0 } == 2)
  }

  @Test func `a form with a one-shot part can be sent once`() async throws {
    var form = MultipartForm()
    let (chunks, input) = AsyncStream<Data>.makeStream()
    input.yield(Data("abc".utf8))
    input.finish()
    form.append(.oneShot(chunks), named: "s")
    let body = try form.body()
    #expect(body.isOneShot)
    #expect(try await echo(body).0.contains("\r\n\r\nabc\r\n"))
    for again in [body, try form.body()] {
      do throws(FetchError) {
        _ = try await client.fetch(HTTPRequest(.post, server.url.appending(path: "echo"), body: again), .string)
        Issue.record("the form was sent twice")
      } catch {
        guard case .requestBody(let cause, _) = error, cause is RequestBodySpentError else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }

  @Test(arguments: [[2, 4], [4, 2], [3, .max], [-1, 3]] as [[Int64]])
  func `a part that does not have its length is an error, even if the form as a whole has`(
    lengths: [Int64]
  ) async throws {
    var form = MultipartForm()
    for length in lengths { form.append(stream(length: length), named: "s") }
    let body = try form.body()
    await #expect(throws: FetchError.self) { try await echo(body) }
    #expect(server.requests.allSatisfy { !$0.body.contains("--\(form.boundary)--".utf8) })
  }

  @Test func `a multipart form refuses a part that is not a regular file`() throws {
    var form = MultipartForm()
    form.append(file: FileManager.default.temporaryDirectory, named: "x")
    #expect(throws: CocoaError.self) { try form.body() }
  }

  @Test func `a multipart boundary that is not a token is quoted`() throws {
    #expect(try MultipartForm(boundary: "a b=c").body().contentType == #"multipart/form-data; boundary="a b=c""#)
    #expect(try MultipartForm(boundary: "a-b").body().contentType == "multipart/form-data; boundary=a-b")
  }

  @Test func `a body file that shrinks during the upload fails the fetch`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(count: 200_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var form = MultipartForm()
    form.append(file: file, named: "x")
    let body = try form.body()
    try Data(count: 100).write(to: file)
    await #expect(throws: FetchError.self) {
      try await client.fetch(HTTPRequest(.post, server.url.appending(path: "echo"), body: body), .void)
    }
    var missing = MultipartForm()
    missing.append(file: URL(filePath: "/nowhere"), named: "x")
    #expect(throws: (any Error).self) { try missing.body() }
  }

  @Test func `a one-shot body is read once, and an error it throws is reported`() async throws {
    struct TestError: Error {}
    let chunks = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(Data("one ".utf8))
      continuation.yield(Data("two".utf8))
      continuation.finish()
    }
    #expect(try await echo(.oneShot(chunks)).0 == "one two")
    let broken = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: TestError()) }
    do throws(FetchError) {
      let request = HTTPRequest(.post, server.url.appending(path: "echo"), body: .oneShot(broken))
      try await client.fetch(request, .void)
      Issue.record("the fetch succeeded")
    } catch {
      guard case .requestBody(let cause, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(cause is TestError)
    }
  }

  @Test func `upload progress grows up to the length of the body`() async throws {
    let seen = Lock<[(Int64, Int64?)]>([])
    var request = HTTPRequest(.post, server.url.appending(path: "echo"), body: .data(Data(count: 3_000_000)))
    request.options.uploadProgress = { sent, total in seen.withLock { $0.append((sent, total)) } }
    _ = try await client.fetch(request, .void)
    let steps = seen.withLock { $0 }
    #expect(steps.last?.0 == 3_000_000)
    #expect(steps.map(\.0) == steps.map(\.0).sorted())
    #expect(steps.allSatisfy { $0.1 == 3_000_000 })
  }

  @Test func `the error for a missing body file names the file, on its own and in a form`() async throws {
    let gone = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let url = try #require(URL(string: "http://localhost:1/"))
    var form = MultipartForm()
    form.append(file: gone, named: "file")
    #expect(throws: CocoaError.self) { try form.body() }
    do throws(FetchError) {
      _ = try await FetchClient().fetch(HTTPRequest(.put, url, body: .file(gone)), .data)
      Issue.record("the fetch succeeded")
    } catch {
      #expect(error.description.contains("the file does not exist"))
      #expect(!error.description.contains(gone.lastPathComponent))
    }
  }

  @Test(arguments: [nil, 3] as [Int64?])
  func `a one-shot body is sent once, and a second fetch of it fails`(length: Int64?) async throws {
    let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
    continuation.yield(Data("abc".utf8))
    continuation.finish()
    let bodies = [
      RequestBody.oneShot(chunks, length: length),
      RequestBody(.stream(length: length) { [source = Once()] in { await source.next() } }, isOneShot: true),
    ]
    for body in bodies {
      #expect(try await echo(body).0 == "abc")
      let before = server.requests.count
      for _ in 0..<2 {
        let error = await #expect(throws: FetchError.self) { try await echo(body) }
        guard case .requestBody(is RequestBodySpentError, _) = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
      #expect(server.requests.count == before)
    }
  }

  /// A source with a single chunk for all of its readers.
  private actor Once {
    private var chunk: Data? = Data("abc".utf8)

    func next() -> Data? {
      defer { chunk = nil }
      return chunk
    }
  }
}
