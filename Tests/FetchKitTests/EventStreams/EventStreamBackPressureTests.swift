#if os(Linux)
import FetchKitTesting
import Dispatch
import Foundation
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(2))) struct EventStreamBackPressureTests {
  private static let event = Array(("data: " + String(repeating: "x", count: (64 << 10) - 8) + "\n\n").utf8)

  /// Sends events as fast as the client reads them. Reports how many bytes were sent before the client stopped reading,
  /// and how many in all when the client has closed.
  ///
  /// - Parameters:
  /// - timeout: how long nothing may be read before the server counts as held back.
  /// - go: what the peer waits for after the first event.
  private static func peer(
    _ count: Int, _ report: AsyncStream<Int>.Continuation, timeout: Duration = .seconds(60),
    go: DispatchSemaphore? = nil
  ) throws -> RawPeer {
    let total = event.count * count
    return try RawPeer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: \(total + 1)\r\n\r\n")
      var sent = 0
      if let go {
        sent = connection.writeUntilHeldBack(event, timeout: timeout, most: event.count)
        go.wait()
      }
      sent += connection.writeUntilHeldBack(event, timeout: timeout, most: total - sent)
      report.yield(sent)
      while sent < total {
        let rest = event[(sent % event.count)...]
        guard rest.withUnsafeBytes({ connection.write($0) }) else { break }
        sent += rest.count
      }
      connection.waitForClose()
      report.yield(sent)
    }
  }

  @Test func `a slow reader of events holds the server back`() async throws {
    let (sent, report) = AsyncStream<Int>.makeStream()
    let peer = try Self.peer(640, report, timeout: .milliseconds(300))
    let client = FetchClient { $0.transport = TransportUnderTest.curl.transport }
    var events = client.events(try peer.url()).makeAsyncIterator()
    #expect(try await events.next() != nil)
    let early = try #require(await sent.first { _ in true })
    // What the kernel's buffers of both sides hold, and 256 KiB of ours.
    #expect(early < 16 << 20)
    for _ in 1..<640 {
      let event = try #require(try await events.next())
      #expect(event.data.utf8.count == Self.event.count - 8)
    }
  }

  @Test func `the buffer of unread events is bounded if the server cannot be held back`() async throws {
    let (sent, report) = AsyncStream<Int>.makeStream()
    let peer = try Self.peer(64, report)
    let client = FetchClient { $0.transport = URLSessionTransport(mostWaitingBytes: 1 << 20) }
    var events = client.events(try peer.url()).makeAsyncIterator()
    #expect(try await events.next() != nil)
    // URLSession on Linux notices its end when the server pauses: when all is sent, or when a busy machine lets it
    // wait.
    var reports = sent.makeAsyncIterator()
    for _ in 0..<2 { #expect(try #require(await reports.next()) >= 1 << 20) }
    let error = await #expect(throws: FetchError.self) { while try await events.next() != nil {} }
    guard case .tooLarge(.body, limit: 1 << 20, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `unread events are buffered up to the limit plus one chunk`() async throws {
    let (sent, report) = AsyncStream<Int>.makeStream()
    let go = DispatchSemaphore(value: 0)
    let peer = try Self.peer(64, report, go: go)
    let client = FetchClient { $0.transport = URLSessionTransport(mostWaitingBytes: 1 << 20) }
    var request = HTTPRequest(.get, try peer.url())
    var limits = client.configuration.limits
    limits.body = .max
    request.options.limits = limits
    var chunks = try await client.stream(request).makeAsyncIterator()
    #expect(try await chunks.next() != nil)
    go.signal()
    var reports = sent.makeAsyncIterator()
    for _ in 0..<2 { #expect(try #require(await reports.next()) >= 1 << 20) }
    let waiting = try #require(try await chunks.next()).count
    #expect(waiting >= 1 << 20 && waiting <= (1 << 20) + (256 << 10))
    let error = await #expect(throws: FetchError.self) { _ = try await chunks.next() }
    guard case .tooLarge(.body, limit: 1 << 20, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a stream with a body limit buffers up to that limit`() async throws {
    let (sent, report) = AsyncStream<Int>.makeStream()
    let peer = try Self.peer(64, report)
    let client = FetchClient { $0.transport = URLSessionTransport(mostWaitingBytes: 1 << 20) }
    let stream = try await client.stream(HTTPRequest(.get, peer.url()))
    #expect(await sent.first { _ in true } == Self.event.count * 64)
    var bytes = 0
    for try await chunk in stream {
      bytes += chunk.count
      if bytes == Self.event.count * 64 { break }
    }
    #expect(bytes == Self.event.count * 64)
  }
}
#endif
