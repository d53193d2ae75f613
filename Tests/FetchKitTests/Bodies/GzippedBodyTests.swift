#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

import FetchKit

@Suite(.timeLimit(.minutes(10))) struct GzippedBodyTests {
  private struct SourceError: Error {}

  let server: LoopbackServer
  let scratch: Scratch
  let client = FetchClient {
    $0.retry = .standard
    $0.random = { 0 }
  }

  init() throws {
    server = try LoopbackServer()
    scratch = try Scratch()
    server.on("/echo") { .data($0.body) }
  }

  /// Half random, half repeated, so that blocks of every kind occur.
  private func payload(_ size: Int) -> Data {
    var random = SplitMix(seed: UInt64(size))
    return Data((0..<size / 2).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      + Data(repeating: 7, count: size - size / 2)
  }

  /// A body of each kind with these bytes.
  private func bodies(_ payload: Data) throws -> [RequestBody] {
    let file = scratch.url.appending(path: UUID().uuidString)
    try payload.write(to: file)
    func stream(_ length: Int64?) -> RequestBody {
      RequestBody(
        .stream(length: length) {
          let rest = Offsets(payload)
          return { rest.next() }
        }, contentType: "text/plain")
    }
    return [
      .data(payload, contentType: "text/plain"), .file(file, contentType: "text/plain"), stream(nil),
      stream(Int64(payload.count)),
    ]
  }

  private func request(_ path: String, _ body: RequestBody, _ method: HTTPMethod = .put) -> HTTPRequest {
    HTTPRequest(method, server.url.appending(path: path), body: body)
  }

  private func cause(of request: HTTPRequest) async -> (any Error)? {
    do throws(FetchError) {
      try await client.fetch(request, .void)
    } catch {
      if case .requestBody(let cause, _) = error { return cause }
      return error
    }
    return nil
  }

  @Test(arguments: TransportUnderTest.allCases, [0, 1, 1_000_000])
  func `every kind of body is sent compressed, declared as such, and unpacked by gzip`(
    kind: TransportUnderTest, size: Int
  ) async throws {
    let payload = payload(size)
    try await kind.uploading {
      for body in try bodies(payload) {
        let url = server.url.appending(path: "echo")
        let response = try await kind.transport.send(TransportRequest(.post, url, body: body.gzipped()))
        #expect(try GZip.unpack(#require(response.body.data)) == payload)
        let sent = try #require(server.requests.last)
        #expect(sent.headers["Content-Encoding"] == "gzip")
        #expect(sent.headers["Content-Type"] == "text/plain")
        // URLSession on Linux stores a stream in a file first.
        if kind == .curl, case .stream = body.gzipped().content { #expect(sent.headers["Content-Length"] == nil) }
        if case .data = body.content { #expect(sent.headers["Content-Length"] == String(sent.bodyLength)) }
      }
    }
  }

  @Test func `a retry after a lost connection compresses the whole body again`() async throws {
    let payload = payload(1_000_000)
    for body in try bodies(payload) {
      let before = server.requests.count
      server.on("/lost", .text("x").cut(after: .start), .text("ok"))
      #expect(try await client.fetch(request("lost", body.gzipped()), .string) == "ok")
      let sent = server.requests.dropFirst(before)
      #expect(sent.count == 2)
      for request in sent { #expect(try GZip.unpack(request.body) == payload) }
    }
  }

  @Test func `a one-shot body stays one-shot`() async throws {
    let (chunks, input) = AsyncStream<Data>.makeStream()
    input.yield(Data("abc".utf8))
    input.finish()
    let body = RequestBody.oneShot(chunks).gzipped()
    #expect(body.isOneShot)
    #expect(try await GZip.unpack(client.fetch(request("echo", body), .data)) == Data("abc".utf8))
    #expect(await cause(of: request("echo", body)) is RequestBodySpentError)
  }

  @Test func `an error of the source is the error of the fetch`() async throws {
    let sources: [@Sendable () throws -> RequestBody.Reader] = [{ throw SourceError() }, { { throw SourceError() } }]
    for open in sources {
      let body = RequestBody(.stream(length: nil, open: open)).gzipped()
      #expect(await cause(of: request("echo", body)) is SourceError)
    }
    let missing = RequestBody.file(URL(filePath: "/nowhere/at/all"))
    for body in [missing, missing.gzipped()] {
      #expect(await (cause(of: request("echo", body)) as? CocoaError)?.code == .fileReadNoSuchFile)
    }
    let short = RequestBody(.stream(length: 5) { { nil } }).gzipped()
    #expect(
      await cause(of: request("echo", short)) as? RequestBodyLengthError
        == RequestBodyLengthError(expected: 5, actual: 0))
  }

  @Test func `a redirect that drops the body drops its coding, and one that keeps the body keeps it`() async throws {
    server.on("/303", .redirect(303, to: "/echo"))
    server.on("/307", .redirect(307, to: "/echo"))
    let body = RequestBody.data(Data("abc".utf8)).gzipped()
    for path in ["303", "307"] { _ = try await client.fetch(request(path, body, .post), .data) }
    #expect(server.requests.map { $0.headers["Content-Encoding"] } == ["gzip", nil, "gzip", "gzip"])
    #expect(try server.requests.map(\.body).map { $0.isEmpty ? $0 : try GZip.unpack($0) }.map(\.count) == [3, 0, 3, 3])
  }

  @Test func `codings are listed in their order, and the request's own field is kept`() async throws {
    var body = RequestBody.data(Data("abc".utf8))
    body.contentEncoding = "br"
    _ = try await client.fetch(request("echo", body.gzipped()), .data)
    var own = request("echo", body.gzipped())
    own.headers["Content-Encoding"] = "br, x-gzip"
    _ = try await client.fetch(own, .data)
    #expect(server.requests.map { $0.headers["Content-Encoding"] } == ["br, gzip", "br, x-gzip"])
    #expect(RequestBody.none.gzipped().isEmpty)
    #expect(RequestBody.none.gzipped().contentEncoding == nil)
    body.contentEncoding = "a\r\nb"
    await #expect(throws: FetchError.self) { try await client.fetch(request("echo", body), .void) }
  }

  @Test func `a curl command contains no compressed form`() throws {
    let body = RequestBody.form([URLQueryItem(name: "a", value: "b")]).gzipped()
    guard case .data(let data) = body.content else {
      Issue.record("the form is not in memory")
      return
    }
    let command = try client.curlCommand(for: request("echo", body))
    #expect(command.contains("--data-binary '<\(data.count) bytes>'"))
    #expect(command.contains("'Content-Encoding: gzip'"))
  }
}
#endif
