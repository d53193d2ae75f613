import FetchKit
import FetchKitTesting
import Foundation
import Testing

#if os(Linux)
/// Situations in which URLSession on Linux crashes, each in its own process. When one of these tests fails, the
/// toolchain is fixed, and the row in the fault matrix can state the expected error instead.
@Suite(.timeLimit(.minutes(10)), .serialized) struct URLSessionDefectTests {
  @Test func `URLSession crashes when the server closes after the status line`() async {
    await #expect(processExitsWith: .failure) { await Self.fetch(.text("hello").cut(after: .head(bytes: 17))) }
  }

  @Test func `URLSession crashes when the server closes in the header`() async {
    await #expect(processExitsWith: .failure) { await Self.fetch(.text("hello").cut(after: .head(bytes: 40))) }
  }

  @Test func `URLSession crashes when its timeout ends a silence in the header`() async {
    await #expect(processExitsWith: .failure) {
      // The crash follows the request that timed out, which may have been the last.
      for _ in 0..<20 { await Self.fetch(.text("hello").cut(after: .head(bytes: 40), by: .stall)) }
    }
  }

  @Test func `URLSession crashes on a trailer after the body`() async {
    await #expect(processExitsWith: .failure) {
      let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Trailer: t\r\n\r\n"
      await Self.fetch(.bytes(.send(Data(text.utf8))))
    }
  }

  @Test func `URLSession crashes when the server cuts off an upload from a file`() async throws {
    await #expect(processExitsWith: .failure) {
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      guard let server = try? LoopbackServer(), (try? Data(count: 8 << 20).write(to: file)) != nil else { return }
      defer { try? FileManager.default.removeItem(at: file) }
      server.on("*", at: .body(bytes: 10_000), .text("x").cut(after: .start, by: .reset))
      let transport = URLSessionTransport()
      for _ in 0..<200 { _ = try? await transport.send(TransportRequest(.put, server.url, body: .file(file))) }
    }
  }

  @Test func `URLSession does not crash on a complete response, so the crashes above are meaningful`() async {
    await #expect(processExitsWith: .success) { await Self.fetch(.text("hello")) }
  }

  private static func fetch(_ response: LoopbackResponse) async {
    guard let server = try? LoopbackServer() else { return }
    server.on("*", response)
    _ = try? await URLSessionTransport().send(
      TransportRequest(.get, server.url, timeouts: Timeouts(idle: .milliseconds(500))))
  }
}
#endif
