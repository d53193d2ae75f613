#if os(Linux)
import Foundation
import Glibc
import Testing

import FetchKit

/// HTTP/2 uploads to a server that accepts no bytes for a while: they wait without using the processor.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: NginxServer.hasStreams, "nginx with its module for streams, or openssl, is not installed"))
struct CurlHeldUploadTests {
  /// In its own process, whose processor time is the transport's. From the first request the client learns how much the
  /// server accepts.
  private static func isCalm(windowOf window: UInt32, _ body: RequestBody) async throws -> Bool {
    let transport = try HTTP2Peer.transport()
    let peer = try HTTP2Peer(settings: [.initialWindowSize(window)])
    guard try await transport.outcome(of: peer.url()) == .response(200, "") else { return false }
    let request = TransportRequest(.post, try peer.url(), body: body)
    let outcome = Task { await transport.outcome(of: request) }
    let (connection, stream) = try await peer.first { event -> (HTTP2Connection, UInt32)? in
      if case .upload(let connection, let stream) = event { (connection, stream) } else { nil }
    }
    func busy() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Int(time.tv_sec) * 1_000_000_000 + time.tv_nsec
    }
    let before = busy()
    usleep(500_000)  // the measured interval: a busy loop uses all of it
    let spent = busy() - before
    FileHandle.standardError.write(Data("an upload held back for 500 ms: \(spent / 1000) µs on the processors\n".utf8))
    connection.widenWindow(of: 0, by: 1 << 24)
    connection.widenWindow(of: stream, by: 1 << 24)
    return await outcome.value == .response(200, "") && spent < 150_000_000
  }

  @Test func `uploads that are held back use hardly any processor time and arrive`() async {
    await #expect(processExitsWith: .success) {
      for (window, length) in [(0, 1), (0, 64 << 10), (0, 1 << 20), (1000, 64 << 10), (65535, 1 << 24)] {
        guard try await Self.isCalm(windowOf: UInt32(window), .data(Data(count: length))) else { exit(2) }
      }
      let pieces = RequestBody(
        .stream(length: nil) {
          let rest = Lock(4)
          return {
            rest.withLock { rest in
              rest -= 1
              return rest < 0 ? nil : Data(count: 1000)
            }
          }
        })
      exit(try await Self.isCalm(windowOf: 0, pieces) ? 0 : 3)
    }
  }

  @Test(arguments: [1, 10_000, 60_000, 1 << 20])
  func `a body that was read before the connection died is sent whole`(length: Int) async throws {
    let transport = try HTTP2Peer.transport()
    let peer = try HTTP2Peer(settings: [.initialWindowSize(0)]) { $0.respond("\($0.body.count)") }
    let url = try peer.url()
    #expect(await transport.outcome(of: url) == .response(200, "0"))
    let request = TransportRequest(.put, url, body: .data(Data(count: length)))
    let outcome = Task { await transport.outcome(of: request) }
    let uploads = Lock(0)
    func upload(_ number: Int) async throws -> (HTTP2Connection, UInt32) {
      uploads.withLock { $0 = 0 }
      return try await peer.first { event in
        guard case .upload(let connection, let stream) = event else { return nil }
        return uploads.withLock {
          $0 += 1
          return $0 == number ? (connection, stream) : nil
        }
      }
    }
    _ = try await upload(1)
    peer.cut()
    let (connection, stream) = try await upload(2)
    connection.widenWindow(of: 0, by: 1 << 24)
    connection.widenWindow(of: stream, by: 1 << 24)
    #expect(await outcome.value == .response(200, "\(length)"))
  }

  // libcurl leaves the socket alone then, and others on the connection may need it.
  @Test func `uploads that are held back delay no other request on the connection`() async throws {
    let transport = try HTTP2Peer.transport()
    let peer = try HTTP2Peer(settings: [.initialWindowSize(0)]) { $0.respond("\($0.body.count)") }
    let url = try peer.url()
    #expect(await transport.outcome(of: url) == .response(200, "0"))
    let bodies = (1...5).map { TransportRequest(.post, url, body: .data(Data(count: $0 << 17))) }
    let outcomes = bodies.map { body in Task { await transport.outcome(of: body) } }
    let uploads = Lock<[(HTTP2Connection, UInt32)]>([])
    try await peer.first { event in
      uploads.withLock { uploads in
        if case .upload(let connection, let stream) = event { uploads.append((connection, stream)) }
        return uploads.count == bodies.count ? () : nil
      }
    }
    for _ in 0..<100 { #expect(await transport.outcome(of: url) == .response(200, "0")) }
    for (connection, stream) in uploads.withLock({ $0 }) { connection.widenWindow(of: stream, by: 1 << 24) }
    for (number, outcome) in outcomes.enumerated() {
      #expect(await outcome.value == .response(200, "\((number + 1) << 17)"))
    }
    #expect(peer.connections == 1)
  }
}
#endif
