import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// Behaviour that all transports share for the bodies they send.
@Suite(.timeLimit(.minutes(10))) struct TransportUploadTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `every transport sends bodies from memory, a file and a stream unchanged`(kind: TransportUnderTest)
    async throws
  {
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
    try await kind.uploading {
      for body in [RequestBody(.data(payload)), RequestBody(.file(file)), stream] {
        let url = server.url.appending(path: "echo")
        let response = try await kind.transport.send(TransportRequest(.post, url, body: body))
        #expect(response.body.data == payload)
      }
    }
    // URLSession cannot omit the field; what matters is that it does not say form.
    let types = Set(server.requests.compactMap { $0.headers["Content-Type"] })
    #expect(types.isSubset(of: ["application/octet-stream"]))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a stream whose length differs from the announced one fails the request`(kind: TransportUnderTest)
    async throws
  {
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
          try await kind.uploading {
            let response = try await kind.transport.send(request)
            #expect(response.head.status == 200 && response.body.data?.count == length)
          }
          continue
        }
        let error = await failure(of: request, on: kind.transport)
        guard case .requestBody(let cause) = error, (cause as? RequestBodyLengthError)?.expected == Int64(length) else {
          Issue.record("\(length): \(String(describing: error))")
          continue
        }
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a body file that is not regular or not readable fails the request with its reason`(
    kind: TransportUnderTest
  ) async throws {
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
      let error = await failure(of: TransportRequest(.post, url("echo"), body: .file(file)), on: kind.transport)
      guard case .requestBody(let cause) = error, (cause as? CocoaError)?.code == code else {
        Issue.record("\(file): \(String(describing: error))")
        continue
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a request that must not be repeated is sent once when a kept-alive connection dies`(
    kind: TransportUnderTest
  ) async throws {
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
    try await kind.uploading {
      for body in [{ RequestBody.data(Data("10 euros".utf8)) }, { .none }, { .file(file) }, once] {
        let before = server.requests.count
        server.on(.post, "/pay", .text("ready"), .text("x").cut(after: .start))
        // Both leave a kept-alive connection where they may.
        for method in [HTTPMethod.get, .post] {
          let request = TransportRequest(method, url("pay"), body: method == .get ? .none : body())
          let response = try await kind.transport.send(request)
          #expect(response.head.status == 200)
          #expect(try await response.body.collect(upTo: 100) == Data("ready".utf8))
        }
        let error = await failure(of: TransportRequest(.post, url("pay"), body: body()), on: kind.transport)
        if case .timeout(.idle) = error { throw TransportError.timeout(.idle) }
        #expect(error?.word == "lost")
        #expect(server.requests.dropFirst(before).map(\.method) == [.get, .post, .post])
      }
    }
  }

  /// Cut during the body: the server has read some of it.
  @Test(arguments: TransportUnderTest.allCases, [LoopbackResponse.Break.close, .reset, .stall])
  func `a fault during an upload is reported, and the request repeated where that is safe`(
    kind: TransportUnderTest, fault: LoopbackResponse.Break
  ) async throws {
    let payload = Data(count: 2 << 20)
    // On Linux URLSession does not survive this with a body from a file or a stream.
    let stream = RequestBody(
      .stream(length: Int64(payload.count)) {
        let rest = Offsets(payload)
        return { rest.next() }
      })
    let body = kind == .urlSession ? RequestBody.data(payload) : stream
    for (method, attempts) in [(HTTPMethod.put, 2), (.post, 1)] {
      let server = try LoopbackServer()
      server.on("/upload", at: .body(bytes: 10_000), .text("x").cut(after: .start, by: fault))
      let client = FetchClient {
        $0.transport = kind.transport
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.random = { 0 }
        $0.timeouts = Timeouts(idle: fault == .stall ? .seconds(1) : .seconds(60), total: .seconds(120))
      }
      do throws(FetchError) {
        try await client.fetch(HTTPRequest(method, server.url.appending(path: "upload"), body: body), .void)
        Issue.record("answered")
      } catch {
        #expect(error.word == (fault == .stall ? "idle" : "lost"), "\(method)")
        #expect(error.context.attempts.count == attempts, "\(method)")
        // On a busy machine the silence may have started before the server's.
        if fault != .stall { #expect(server.requests.count == attempts, "\(method)") }
      }
    }
  }

  private func url(_ path: String) -> URL { server.url.appending(path: path) }
}
