import FetchKit
import FetchKitTesting
import Foundation
import Testing

/// Every fault, in every phase, for an idempotent and another method, on every transport: the error, whether the client
/// retries, and what a stream has delivered by then.
@Suite(.timeLimit(.minutes(10))) struct FaultMatrixTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var response = LoopbackResponse.text("hello")
    /// What happens to the connection before any request is read.
    var onConnect: LoopbackResponse.Break?
    var expected: String
    /// What a stream delivers before it fails.
    var delivered = 0
    /// Whether an idempotent request is sent again.
    var isRetried = false
    /// Another possible error, after which any method is retried.
    var alternative: String?
    /// The error of a transport that cannot distinguish them: documented with the transport.
    var differs: [TransportUnderTest: String] = [:]
    /// The transports that crash the process.
    var kills: Set<TransportUnderTest> = []

    var testDescription: String { name }

    /// Short where silence is the fault, so long elsewhere that a busy machine does not trigger it.
    var timeouts: Timeouts {
      Timeouts(idle: expected == "idle" ? .seconds(1) : .seconds(20), total: .seconds(30))
    }
  }

  private static let long = LoopbackResponse(body: .data(Data(repeating: 0x61, count: 100_000)))
  private static let hello = LoopbackResponse.text("hello")

  static let rows: [Row] = [
    Row(name: "closed when accepted", onConnect: .close, expected: "lost", isRetried: true),
    // Whether the client sees a connection at all depends on which side is faster.
    Row(name: "reset when accepted", onConnect: .reset, expected: "lost", isRetried: true, alternative: "refused"),
    Row(name: "silent when accepted", onConnect: .stall, expected: "idle", isRetried: true),
    Row(name: "closed after the request", response: hello.cut(after: .start), expected: "lost", isRetried: true),
    Row(
      name: "reset after the request", response: hello.cut(after: .start, by: .reset), expected: "lost",
      isRetried: true),
    Row(
      name: "half closed after the request", response: hello.cut(after: .start, by: .halfClose), expected: "lost",
      isRetried: true),
    Row(
      name: "silent after the request", response: hello.cut(after: .start, by: .stall), expected: "idle",
      isRetried: true),
    Row(
      name: "closed after the status line", response: hello.cut(after: .head(bytes: 17)), expected: "malformed",
      kills: [.urlSession]),
    Row(
      name: "closed in the header", response: hello.cut(after: .head(bytes: 40)), expected: "malformed",
      kills: [.urlSession]),
    Row(
      name: "reset in the header", response: hello.cut(after: .head(bytes: 40), by: .reset), expected: "lost",
      isRetried: true),
    Row(
      name: "silent in the header", response: hello.cut(after: .head(bytes: 40), by: .stall), expected: "idle",
      isRetried: true, kills: [.urlSession]),
    Row(
      name: "closed in the body", response: long.cut(after: .body(bytes: 50_000)), expected: "lost", delivered: 50_000,
      isRetried: true),
    Row(
      name: "reset in the body", response: long.cut(after: .body(bytes: 50_000), by: .reset), expected: "lost",
      delivered: -1, isRetried: true),
    Row(
      name: "silent in the body", response: long.cut(after: .body(bytes: 50_000), by: .stall), expected: "idle",
      delivered: 50_000, isRetried: true),
    Row(
      name: "half closed in the body", response: long.cut(after: .body(bytes: 50_000), by: .halfClose),
      expected: "lost", delivered: 50_000, isRetried: true),
    Row(
      name: "closed in a chunk", response: hello.chunked(size: 3).cut(after: .body(bytes: 5)), expected: "lost",
      delivered: 2, isRetried: true),
    Row(
      name: "closed before the last chunk", response: hello.chunked(size: 5).cut(after: .body(bytes: 10)),
      expected: "lost", delivered: 5, isRetried: true),
    Row(
      name: "a body shorter than announced", response: hello.declaring(length: 9).closing(), expected: "lost",
      delivered: 5, isRetried: true),
    Row(name: "a body longer than announced", response: hello.declaring(length: 2).closing(), expected: "200:2"),
    Row(
      name: "a chunk without a size",
      response: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello"),
      expected: "malformed"),
    Row(
      name: "a length that is not a number",
      response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 0x5\r\n\r\nhello"), expected: "malformed"),
    Row(
      name: "two lengths",
      response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 2\r\n\r\nhello"),
      expected: "malformed"),
    Row(
      name: "white space before the first field",
      response: .raw("HTTP/1.1 200 OK\r\n  X: a\r\nContent-Length: 2\r\n\r\nok"), expected: "malformed"),
    Row(name: "not HTTP", response: .raw("220 ready\r\n\r\n"), expected: "malformed"),
    Row(
      name: "a header line without a colon", response: .raw("HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 0\r\n\r\n"),
      expected: "malformed"),
    Row(
      name: "a header without a space", response: .raw("HTTP/1.1 200 OK\r\nFoo:bar\r\nContent-Length: 1\r\n\r\nx"),
      expected: "200:1", differs: [.urlSession: "malformed", .stub: "malformed"]),
    Row(
      name: "a header that is not UTF-8",
      response: .raw(Data("HTTP/1.1 200 OK\r\nFoo: ".utf8) + [0xE4] + Data("\r\nContent-Length: 1\r\n\r\nx".utf8)),
      expected: "200:1", differs: [.urlSession: "malformed", .stub: "malformed"]),
    Row(
      name: "a header beyond the limit",
      response: LoopbackResponse(headers: ["X": String(repeating: "x", count: 70_000)]), expected: "tooLarge headers"),
    Row(
      name: "a body beyond the limit", response: LoopbackResponse(body: .data(Data(count: 300_000))),
      expected: "tooLarge body"),
    Row(
      name: "a body beyond the limit, in chunks",
      response: LoopbackResponse(body: .data(Data(count: 300_000))).chunked(), expected: "tooLarge body", delivered: -1),
    Row(
      name: "a body beyond the limit, until the end",
      response: LoopbackResponse(body: .data(Data(count: 300_000))).untilClose(), expected: "tooLarge body",
      delivered: -1),
    Row(name: "an interim response", response: hello.preceded(by: "103 Early Hints"), expected: "200:5"),
    Row(name: "a body until the end", response: hello.untilClose(), expected: "200:5"),
    Row(name: "no content", response: .status(204), expected: "204:0"),
    Row(name: "an unknown status", response: .status(299), expected: "299:0"),
  ]

  @Test(arguments: TransportUnderTest.all, rows)
  func `every transport reports the same error for a fault, and the client retries where safe`(
    kind: TransportUnderTest, row: Row
  ) async throws {
    guard !row.kills.contains(kind) else { return }
    let expected = row.differs[kind] ?? row.expected
    for method in [HTTPMethod.get, .post] {
      let server = try server(row)
      let client = FetchClient {
        $0.transport = transport(kind, row)
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.random = { 0 }
        $0.timeouts = row.timeouts
        $0.limits = ResponseLimits(headers: 64 << 10, body: 200_000)
      }
      let body = method == .post ? RequestBody.data(Data("x".utf8)) : .none
      let request = HTTPRequest(method, server.url.appending(path: "x"), body: body)
      var word: String
      var attempts = 1
      do throws(FetchError) {
        let response = try await client.fetch(request, .response)
        word = "\(response.status):\(response.body.count)"
      } catch {
        word = error.word
        attempts = error.context.attempts.count
      }
      if let alternative = row.alternative, word == alternative { continue }
      #expect(word == expected, "\(method)")
      if row.alternative != nil { continue }
      #expect(attempts == (row.isRetried && method == .get ? 2 : 1), "\(method)")
    }
  }

  /// Nothing was sent.
  @Test(arguments: TransportUnderTest.allCases, [HTTPMethod.get, .post])
  func `without a connection any method is retried`(kind: TransportUnderTest, method: HTTPMethod)
    async throws
  {
    let closed = try ClosedPort()
    let nowhere = try #require(URL(string: "http://no-such-host.invalid/"))
    for (url, expected) in [(closed.url, "refused"), (nowhere, "nameNotResolved")] {
      let client = FetchClient {
        $0.transport = kind.transport
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.random = { 0 }
      }
      let body = method == .post ? RequestBody.data(Data("x".utf8)) : .none
      do throws(FetchError) {
        let response = try await client.fetch(HTTPRequest(method, url, body: body), .response)
        Issue.record("\(response)")
      } catch {
        #expect(error.word == expected)
        #expect(error.context.attempts.count == 2, "\(expected)")
      }
    }
  }

  @Test(arguments: TransportUnderTest.all, rows)
  func `a stream delivers the bytes received before a fault`(kind: TransportUnderTest, row: Row) async throws {
    guard !row.kills.contains(kind) else { return }
    let server = try server(row)
    var request = TransportRequest(.get, server.url.appending(path: "x"), delivery: .stream)
    request.timeouts = row.timeouts
    request.limits = ResponseLimits(headers: 64 << 10, body: 200_000)
    var delivered = 0
    var word: String
    do throws(TransportError) {
      let response = try await transport(kind, row).send(request)
      for try await chunk in response.body { delivered += chunk.count }
      word = "\(response.head.status):\(delivered)"
    } catch {
      word = error.word
      if row.delivered >= 0 { #expect(delivered == row.delivered) }
    }
    #expect(word == row.differs[kind] ?? row.expected || word == row.alternative)
  }

  private func transport(_ kind: TransportUnderTest, _ row: Row) -> any Transport {
    guard kind == .stub else { return kind.transport }
    let response = row.onConnect.map { Self.hello.cut(after: .start, by: $0) } ?? row.response
    return StubTransport(simulating: { _ in response })
  }

  private func server(_ row: Row) throws -> LoopbackServer {
    let server = try LoopbackServer()
    server.on("*", row.response)
    if let fault = row.onConnect { server.breakNextConnections(fault, fault, fault, fault) }
    return server
  }
}
