#if os(Linux)
import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CurlStreamTests {
  let server: LoopbackServer
  let transport: CurlTransport

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTransport { $0.proxy = .none }
  }

  private func stream(_ path: String, _ change: (inout TransportRequest) -> Void = { _ in }) async throws
    -> ResponseBody
  {
    var request = TransportRequest(.get, server.url.appending(path: path), delivery: .stream)
    change(&request)
    return try await transport.send(request).body
  }

  @Test func `a stream delivers the head before the body, and the body in chunks as they arrive`() async throws {
    let gate = LoopbackGate()
    server.on("/", .text("hello world").held(at: gate, after: .body(bytes: 5)))
    let body = try await stream("/")
    var iterator = body.makeAsyncIterator()
    #expect(try await iterator.next() == Data("hello".utf8))
    gate.open()
    #expect(try await iterator.next() == Data(" world".utf8))
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
    #expect(server.requests[0].headers.values(for: "Accept-Encoding") == ["identity"])
  }

  @Test func `an empty streamed body ends immediately`() async throws {
    server.on("/", .status(204))
    for try await _ in try await stream("/") { Issue.record("a chunk of nothing") }
  }

  @Test func `bytes that arrived before the connection broke are read before the error is thrown`() async throws {
    server.on("/", .text("hello world").cut(after: .body(bytes: 5)))
    var iterator = try await stream("/").makeAsyncIterator()
    #expect(try await iterator.next() == Data("hello".utf8))
    await #expect(throws: TransportError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `a slow reader holds the sender back`() async throws {
    let total = 200 << 20
    let (heldBack, report) = AsyncStream<Int>.makeStream()
    let piece = [UInt8](repeating: 7, count: 64 << 10)
    let peer = try RawPeer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      var sent = connection.writeUntilHeldBack(piece, timeout: .milliseconds(300))
      report.yield(sent)
      while sent < total {
        let next = min(piece.count, total - sent)
        guard piece[..<next].withUnsafeBytes({ connection.write($0) }) else { break }
        sent += next
      }
    }
    var request = TransportRequest(.get, try peer.url(), delivery: .stream)
    request.limits.body = total
    // Silence caused by the reader does not count: the idle timeout is shorter than the peer's timeout.
    request.timeouts.idle = .milliseconds(200)
    let body = try await transport.send(request).body
    let sent = try #require(await heldBack.first { _ in true })
    // What the kernel's buffers of both sides hold, 256 KiB of ours, and one chunk inside libcurl.
    #expect(sent < 16 << 20)
    var count = 0
    var largest = 0
    for try await chunk in body {
      count += chunk.count
      largest = max(largest, chunk.count)
    }
    #expect(count == total)
    #expect(largest <= (256 << 10) + (16 << 10))
  }

  @Test func `a peer that falls silent after a slow reader goes on exceeds the idle timeout`() async throws {
    let (heldBack, report) = AsyncStream<Int>.makeStream()
    let peer = try RawPeer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(200 << 20)\r\n\r\n")
      report.yield(connection.writeUntilHeldBack([UInt8](repeating: 7, count: 64 << 10), timeout: .milliseconds(300)))
      connection.waitForClose()
    }
    var request = TransportRequest(.get, try peer.url(), delivery: .stream)
    request.limits.body = 200 << 20
    request.timeouts = Timeouts(connect: .seconds(20), idle: .milliseconds(200), total: nil)
    let body = try await transport.send(request).body
    let sent = try #require(await heldBack.first { _ in true })
    var count = 0
    let error = await #expect(throws: TransportError.self) {
      for try await chunk in body { count += chunk.count }
    }
    #expect(count == sent)
    guard case .timeout(.idle)? = error else { throw try #require(error) }
  }

  @Test func `a body over the limit is stopped, announced or not, whole or streamed`() async throws {
    let piece = Data(repeating: 7, count: 64 << 10)
    server.on("/announced", LoopbackResponse(body: .repeated(piece, count: 1000)))
    server.on("/chunked", LoopbackResponse(body: .repeated(piece, count: 1000)).chunked())
    server.on("/endless", LoopbackResponse(body: .repeated(piece, count: .max / piece.count)).untilClose())
    for path in ["announced", "chunked", "endless"] {
      for delivery in [TransportRequest.Delivery.whole, .stream] {
        var request = TransportRequest(.get, server.url.appending(path: path), delivery: delivery)
        request.limits.body = 1 << 20
        #expect(await transport.outcome(of: request) == .failed("body over 1048576"))
      }
    }
    await server.allConnectionsClosed()
  }

  @Test func `a body over the limit is also stopped when its reader is slow`() async throws {
    // The bytes beyond the limit stay inside libcurl while the reader holds it back.
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.streamBuffer = 1
    }
    server.on("/", LoopbackResponse(body: .repeated(Data(count: 64 << 10), count: 8)).untilClose())
    for limit in stride(from: 100_000, to: 200_000, by: 20_000) {
      var request = TransportRequest(.get, server.url, delivery: .stream)
      request.limits.body = limit
      request.timeouts = Timeouts(connect: .seconds(20), idle: .seconds(20), total: nil)
      let outcome = await transport.outcome(of: request)
      #expect(outcome == .failed("body over \(limit)"))
    }
  }

  @Test func `a body of exactly the limit is accepted, and a HEAD response may announce more`() async throws {
    server.on("/", .text("12345"))
    var request = TransportRequest(.get, server.url)
    request.limits.body = 5
    #expect(await transport.outcome(of: request) == .response(200, "12345"))
    request.limits.body = 4
    request.method = .head
    #expect(await transport.outcome(of: request) == .response(200, ""))
  }

  @Test func `a small body that decompresses to a large one is stopped`() async throws {
    // 10 MB of zeros, compressed to 10 KB.
    let bomb = try GZip.pack(Data(count: 10_000_000))
    #expect(bomb.count < 20_000)
    server.on("/", LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: .data(bomb)))
    var request = TransportRequest(.get, server.url)
    request.limits.body = 1_000_000
    #expect(await transport.outcome(of: request) == .failed("body over 1000000"))
    request.limits.body = 10_000_000
    #expect(try await transport.send(request).body.data?.count == 10_000_000)
  }

  @Test func `a head over the limit is stopped, in many lines, in one, or in interim responses`() async throws {
    let line = "X-Filler: " + String(repeating: "a", count: 1000) + "\r\n"
    let heads = [
      "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 70) + "\r\n",
      "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 200_000) + "\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 70_000) + "\r\n\r\n",
      String(repeating: "HTTP/1.1 103 Early Hints\r\n\(line)\r\n", count: 70),
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: line, count: 70) + "\r\n",
    ]
    for (index, head) in heads.enumerated() {
      server.on("/\(index)", .raw(head))
      let outcome = await transport.outcome(of: server.url.appending(path: "\(index)"))
      #expect(outcome == .failed("headers over 65536"), "head \(index)")
    }
  }

  @Test func `dropping a streamed body ends its transfer`() async throws {
    let piece = Data(repeating: 7, count: 10_000)
    server.on("/endless", LoopbackResponse(body: .repeated(piece, count: 1_000_000)).chunked())
    for try await _ in try await stream("endless", { $0.limits.body = .max }) { break }
    await server.allConnectionsClosed()
    _ = try await stream("endless", { $0.limits.body = .max })
    await server.allConnectionsClosed()
  }

  @Test func `two concurrent readers of one body do no harm`() async throws {
    let gate = LoopbackGate()
    server.on("/", .text("hello").held(at: gate, after: .body(bytes: 0)))
    let body = try await stream("/")
    async let one = Self.read(body)
    async let other = Self.read(body)
    // The second to wait replaces the other; which one that is, is not determined.
    await server.requests(atLeast: 1)
    let opener = Task { gate.open() }
    let outcomes = await [one, other]
    await opener.value
    #expect(outcomes.contains { $0 == "hello" || $0 == "" })
  }

  private static func read(_ body: ResponseBody) async -> String {
    do {
      return String(decoding: try await body.collect(upTo: 100), as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }

  @Test func `a cancelled reader receives nothing more`() async throws {
    let gate = LoopbackGate()
    server.on("/", .text("hello world").held(at: gate, after: .body(bytes: 5)))
    let body = try await stream("/")
    let (firstRead, didRead) = AsyncStream<Void>.makeStream()
    let reader = Task {
      var chunks: [Data] = []
      do throws(TransportError) {
        for try await chunk in body {
          chunks.append(chunk)
          didRead.yield()
        }
        return (chunks, nil as Outcome?)
      } catch {
        return (chunks, Outcome(error))
      }
    }
    _ = await firstRead.first { _ in true }
    reader.cancel()
    let (chunks, outcome) = await reader.value
    #expect(chunks == [Data("hello".utf8)])
    #expect(outcome == .failed("cancelled"))
    await server.allConnectionsClosed()
    gate.open()
  }
}
#endif
