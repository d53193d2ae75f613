#if os(Linux)
import FetchKitTesting
import Foundation
import Testing

import FetchKit

@Suite(.timeLimit(.minutes(10))) struct CurlUploadTests {
  let server: LoopbackServer
  let transport: CurlTransport
  let payload = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTransport { $0.proxy = .none }
    server.on("/echo") { .data($0.body) }
  }

  private func request(_ body: RequestBody, _ method: HTTPMethod = .post) -> TransportRequest {
    TransportRequest(method, server.url.appending(path: "echo"), body: body)
  }

  private func stream(
    _ data: Data, length: Int64? = nil, piece: Int = 30_000, isOneShot: Bool = false
  ) -> RequestBody {
    RequestBody(
      .stream(length: length) {
        let rest = Lock(data)
        return {
          rest.withLock { rest in
            defer { rest = Data(rest.dropFirst(piece)) }
            return rest.isEmpty ? nil : Data(rest.prefix(piece))
          }
        }
      }, isOneShot: isOneShot)
  }

  private func withFile<Result>(_ data: Data, _ body: (URL) async throws -> Result) async throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file)
  }

  @Test func `bodies arrive as sent, from memory, a slice, a file and streams`() async throws {
    try await withFile(payload) { file in
      let slice = (Data([1, 2, 3]) + payload).dropFirst(3)
      let bodies: [RequestBody] = [
        RequestBody(.data(payload)), RequestBody(.data(slice)), RequestBody(.file(file)),
        stream(payload), stream(payload, length: 300_000), stream(payload, piece: 1000),
      ]
      for (index, body) in bodies.enumerated() {
        for method in [HTTPMethod.post, .put, .patch, .delete, "BREW"] {
          let response = try await transport.send(request(body, method))
          #expect(response.body.data == payload, "body \(index)")
          let sent = try #require(server.requests.last)
          #expect(sent.method == method)
          #expect(sent.headers["Content-Length"] == (index == 3 || index == 5 ? nil : "300000"))
          #expect(sent.headers["Transfer-Encoding"] == (index == 3 || index == 5 ? "chunked" : nil))
          #expect(sent.headers["Expect"] == nil)
          #expect(sent.headers["Content-Type"] == nil)
        }
      }
    }
  }

  @Test func `empty bodies are sent with length 0`() async throws {
    try await withFile(Data()) { file in
      for body in [RequestBody(.data(Data())), RequestBody(.file(file)), stream(Data(), length: 0), stream(Data())] {
        let response = try await transport.send(request(body))
        #expect(response.body.data == Data())
      }
    }
  }

  @Test func `the content type is the body's unless the request names one`() async throws {
    var request = request(RequestBody(.data(payload), contentType: "text/plain"))
    _ = try await transport.send(request)
    request.headers["content-TYPE"] = "text/html"
    _ = try await transport.send(request)
    #expect(server.requests.map { $0.headers.values(for: "Content-Type") } == [["text/plain"], ["text/html"]])
  }

  @Test func `a Content-Length given for a stream is its length`() async throws {
    var request = request(stream(payload))
    request.headers["Content-Length"] = "300000"
    #expect(try await transport.send(request).body.data == payload)
    #expect(server.requests[0].headers["Transfer-Encoding"] == nil)
  }

  @Test func `a transport waits for a slow body stream`() async throws {
    let (pieces, source) = AsyncStream<Data>.makeStream()
    let iterator = Lock(pieces.makeAsyncIterator())
    let body = RequestBody(
      .stream(length: nil) {
        {
          var next = iterator.withLock { $0 }
          return await next.next()
        }
      })
    server.on("/early", at: .body(bytes: 5)) { _ in
      source.yield(Data(" world".utf8))
      source.finish()
      return .text("got it")
    }
    source.yield(Data("hello".utf8))
    var request = request(body)
    request.url = server.url.appending(path: "early")
    #expect(await transport.outcome(of: request) == .response(200, "got it"))
  }

  @Test func `a server that does not read holds the body's source back`() async throws {
    let peer = try RawPeer(serve: nil)  // connections are accepted, and no thread reads from them
    let pieces = Lock(0)
    let endless = RequestBody(
      .stream(length: nil) {
        {
          pieces.withLock { $0 += 1 }
          return Data(count: 64 << 10)
        }
      })
    let timeouts = Timeouts(connect: .seconds(50), idle: .milliseconds(500), total: nil)
    let request = TransportRequest(.post, try peer.url(), body: endless, timeouts: timeouts)
    #expect(await transport.outcome(of: request) == .failed("idle timeout"))
    // No more than the system's buffers hold: 64 MB is far beyond any of them.
    #expect(pieces.withLock { $0 } < 1024)
  }

  @Test func `an error thrown by a body's source ends the request`() async throws {
    struct TestError: Error {}
    let failing = RequestBody(.stream(length: nil) { { throw TestError() } })
    let unopened = RequestBody(.stream(length: nil) { throw TestError() })
    for body in [failing, unopened] {
      #expect(await transport.outcome(of: request(body)) == .failed("body: TestError()"))
    }
    let missing = RequestBody(.file(URL(filePath: "/no/such/file")))
    guard case .failed(let reason) = await transport.outcome(of: request(missing)) else {
      Issue.record("a missing file was sent")
      return
    }
    #expect(reason.hasPrefix("body: "))
    let folder = RequestBody(.file(FileManager.default.temporaryDirectory))
    #expect(await transport.outcome(of: request(folder)) != .response(200, ""))
    #expect(server.requests.isEmpty)
  }

  @Test func `a stream whose length differs from the announced one ends the request`() async throws {
    let short = await transport.outcome(of: request(stream(payload, length: 300_001)))
    #expect(short == .failed("body: \(RequestBodyLengthError(expected: 300_001, actual: 300_000))"))
    let long = await transport.outcome(of: request(stream(payload, length: 299_999)))
    #expect(long == .failed("body: \(RequestBodyLengthError(expected: 299_999, actual: 300_000))"))
    // The excess starts with its own chunk.
    let boundary = await transport.outcome(of: request(stream(payload, length: 270_000)))
    #expect(boundary == .failed("body: \(RequestBodyLengthError(expected: 270_000, actual: 300_000))"))
  }

  @Test func `a replayable body is sent again on a new connection`() async throws {
    try await withFile(payload) { file in
      let bodies = [
        RequestBody(.data(payload)), RequestBody(.file(file)), stream(payload), stream(payload, length: 300_000),
      ]
      for (index, body) in bodies.enumerated() {
        let path = "again\(index)"
        server.on(.get, "/\(path)", .text("ready"))
        server.on(.put, "/\(path)", .text("x").cut(after: .start), .text("done"))
        let url = server.url.appending(path: path)
        #expect(await transport.outcome(of: url) == .response(200, "ready"))
        let request = TransportRequest(.put, url, body: body)
        #expect(request.allowsResend)
        #expect(await transport.outcome(of: request) == .response(200, "done"))
        #expect(server.requests.suffix(2).map(\.body) == [payload, payload], "body \(index)")
      }
    }
  }

  @Test func `upload progress counts up to the end, in order`() async throws {
    let seen = Lock<[(Int64, Int64?)]>([])
    var request = request(RequestBody(.data(payload)))
    request.uploadProgress = { sent, total in seen.withLock { $0.append((sent, total)) } }
    _ = try await transport.send(request)
    let steps = seen.withLock { $0 }
    #expect(steps.map(\.0) == steps.map(\.0).sorted())
    #expect(steps.last?.0 == 300_000)
    #expect(steps.allSatisfy { $0.1 == 300_000 })
    #expect(steps.count > 1)
  }

  @Test func `a response that arrives before the body is read ends the upload`() async throws {
    server.on("/refuse", at: .head, .text("too large", status: 413).closing())
    var request = request(stream(Data(repeating: 7, count: 50_000_000)))
    request.url = server.url.appending(path: "refuse")
    // The server closes with bytes unread, so the response may be lost to the reset; either way the request ends.
    let outcome = await transport.outcome(of: request)
    #expect(outcome == .response(413, "too large") || outcome == .failed("lost"))
  }

  @Test func `cancelling an upload cancels the reading of its source`() async throws {
    let (reading, began) = AsyncStream<Void>.makeStream()
    let (cancelled, ended) = AsyncStream<Bool>.makeStream()
    let body = RequestBody(
      .stream(length: nil) {
        {
          began.yield()
          do {
            try await Task.sleep(for: .seconds(3600))
          } catch {
            ended.yield(true)
          }
          return nil
        }
      })
    let transport = transport
    let request = request(body)
    let task = Task { await transport.outcome(of: request) }
    _ = await reading.first { _ in true }
    task.cancel()
    #expect(await task.value == .failed("cancelled"))
    #expect(await cancelled.first { _ in true } == true)
    await server.allConnectionsClosed()
  }

  @Test(arguments: [true, false]) func `a 417 to the caller's own Expect is the response`(closes: Bool) async throws {
    let heads = Lock(0)
    let peer = try RawPeer { connection in
      while connection.readHead() != nil {
        heads.withLock { $0 += 1 }
        let close = closes ? "Connection: close\r\n" : ""
        connection.write("HTTP/1.1 417 Expectation Failed\r\n\(close)Content-Length: 2\r\n\r\nno")
        if closes { return }
      }
    }
    for delivery in [TransportRequest.Delivery.whole, .stream] {
      var request = TransportRequest(
        .post, try peer.url(), headers: ["Expect": "100-continue"], body: RequestBody(.data(Data(count: 100_000))),
        delivery: delivery)
      for allowsResend in [true, false] {
        request.allowsResend = allowsResend
        let outcome = await transport.outcome(of: request)
        // Where the connection is kept alive, libcurl drops the body.
        #expect([.response(417, "no"), .response(417, "")].contains(outcome))
      }
    }
    #expect(heads.withLock { $0 } == 4)
  }
}
#endif
