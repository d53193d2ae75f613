import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// What every transport does alike with the bodies it sends.
@Suite(.timeLimit(.minutes(10))) struct TransportUploadTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  @Test(arguments: Contender.allCases)
  func `bodies arrive as sent, from memory, a file and a stream`(contender: Contender) async throws {
    server.on(.post, "/echo") { .data($0.body) }
    let payload = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try payload.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let stream = RequestBody(
      .stream(length: nil) {
        let rest = Offsets(payload)
        return { rest.next() }
      })
    for body in [RequestBody(.data(payload)), RequestBody(.file(file)), stream] {
      let url = server.url.appending(path: "echo")
      let response = try await contender.transport.send(TransportRequest(.post, url, body: body))
      #expect(response.body.whole == payload)
    }
    // URLSession cannot leave the field out; what matters is that nobody claims a form.
    let types = Set(server.requests.compactMap { $0.headers["Content-Type"] })
    #expect(types.isSubset(of: ["application/octet-stream"]))
  }

  @Test(arguments: Contender.allCases)
  func `a stream of another length than announced fails the request`(contender: Contender) async throws {
    server.on(.post, "/echo") { .data($0.body) }
    for (payload, lengths) in [
      (Data("hello".utf8), [3, 100, 5]), (Data(count: 90_000), [90_001, 89_999, 60_000, 90_000]),
    ] {
      for length in lengths {
        let body = RequestBody(
          .stream(length: Int64(length)) {
            let rest = Offsets(payload)
            return { rest.next() }
          })
        let request = TransportRequest(.post, url("echo"), body: body)
        guard length != payload.count else {
          #expect(await outcome(of: request, on: contender.transport) == "200:\(length)")
          continue
        }
        let error = await failure(of: request, on: contender.transport)
        guard case .requestBody(let cause) = error, (cause as? RequestBodyLengthError)?.expected == Int64(length) else {
          Issue.record("\(length): \(String(describing: error))")
          continue
        }
      }
    }
  }

  @Test(arguments: Contender.allCases)
  func `a body that is no file, or may not be read, fails the request with its reason`(contender: Contender)
    async throws
  {
    server.on(.post, "/echo") { .data($0.body) }
    let locked = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("x".utf8).write(to: locked)
    defer { try? FileManager.default.removeItem(at: locked) }
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked.path)
    var files = [
      (URL(filePath: "/nowhere/at/all"), CocoaError.fileReadNoSuchFile),
      (FileManager.default.temporaryDirectory, .fileReadUnknown),
      (try #require(URL(string: "http://h/x")), .fileReadUnsupportedScheme),
    ]
    if getuid() != 0 { files.append((locked, .fileReadNoPermission)) }
    for (file, code) in files {
      let error = await failure(of: TransportRequest(.post, url("echo"), body: .file(file)), on: contender.transport)
      guard case .requestBody(let cause) = error, (cause as? CocoaError)?.code == code else {
        Issue.record("\(file): \(String(describing: error))")
        continue
      }
    }
  }

  @Test(arguments: Contender.allCases)
  func `what must not be repeated is not, when a kept-alive connection dies`(contender: Contender) async throws {
    server.on(.get, "/pay", .text("ready"))
    func once() -> RequestBody {
      .oneShot(
        AsyncStream { continuation in
          continuation.yield(Data("10 euros".utf8))
          continuation.finish()
        })
    }
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("10 euros".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for body in [{ RequestBody.data(Data("10 euros".utf8)) }, { .none }, { .file(file) }, once] {
      let before = server.requests.count
      server.on(.post, "/pay", .text("ready"), .text("x").cut(after: .start))
      // Both leave a connection behind where they may.
      #expect(await outcome(of: TransportRequest(.get, url("pay")), on: contender.transport) == "200:5")
      #expect(await outcome(of: TransportRequest(.post, url("pay"), body: body()), on: contender.transport) == "200:5")
      let request = TransportRequest(.post, url("pay"), body: body())
      #expect(await outcome(of: request, on: contender.transport) == "lost")
      #expect(server.requests.dropFirst(before).map(\.method) == [.get, .post, .post])
    }
  }

  /// Cut while the body is on its way: the server has read some of it.
  @Test(arguments: Contender.allCases, [LoopbackResponse.Break.close, .reset, .stall])
  func `a fault in the middle of an upload is told, and repeated where that is harmless`(
    contender: Contender, fault: LoopbackResponse.Break
  ) async throws {
    let payload = Data(count: 2 << 20)
    // What URLSession on Linux reads from a file, as it does streams, it does not survive.
    let stream = RequestBody(
      .stream(length: Int64(payload.count)) {
        let rest = Offsets(payload)
        return { rest.next() }
      })
    let body = contender == .urlSession ? RequestBody.data(payload) : stream
    for (method, attempts) in [(HTTPMethod.put, 2), (.post, 1)] {
      let server = try LoopbackServer()
      server.on("/upload", at: .body(bytes: 10_000), .text("x").cut(after: .start, by: fault))
      let client = FetchClient {
        $0.transport = contender.transport
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.random = { 0 }
        $0.deadlines = Deadlines(idle: fault == .stall ? .seconds(1) : .seconds(60), total: .seconds(120))
      }
      do throws(FetchError) {
        try await client.fetch(HTTPRequest(method, server.url.appending(path: "upload"), body: body), .void)
        Issue.record("answered")
      } catch {
        #expect(error.word == (fault == .stall ? "idle" : "lost"), "\(method)")
        #expect(error.context.attempts.count == attempts, "\(method)")
        // A busy machine may have been silent before the server was.
        if fault != .stall { #expect(server.requests.count == attempts, "\(method)") }
      }
    }
  }

  private func url(_ path: String) -> URL { server.url.appending(path: path) }
}
