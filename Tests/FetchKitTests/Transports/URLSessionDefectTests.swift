import FetchKit
import FetchKitTesting
import Foundation
import Testing

#if os(Linux)
/// What URLSession on Linux does not survive, each in a process of its own. The day one of these fails the toolchain
/// has been repaired, and the row in the fault matrix can say what is expected instead.
@Suite(.timeLimit(.minutes(10)), .serialized) struct URLSessionDefectTests {
  @Test func `a close after the status line ends the process`() async {
    await #expect(processExitsWith: .failure) { await Self.fetch(.text("hello").cut(after: .head(bytes: 17))) }
  }

  @Test func `a close in the header ends the process`() async {
    await #expect(processExitsWith: .failure) { await Self.fetch(.text("hello").cut(after: .head(bytes: 40))) }
  }

  @Test func `a silence in the header that meets its deadline ends the process`() async {
    await #expect(processExitsWith: .failure) {
      // It ends behind the one that met it, which may have been the last.
      for _ in 0..<20 { await Self.fetch(.text("hello").cut(after: .head(bytes: 40), by: .stall)) }
    }
  }

  @Test func `a trailer after the body ends the process`() async {
    await #expect(processExitsWith: .failure) {
      let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Trailer: t\r\n\r\n"
      await Self.fetch(.bytes(.send(Data(text.utf8))))
    }
  }

  @Test func `an upload from a file that the server cuts off ends the process`() async throws {
    await #expect(processExitsWith: .failure) {
      let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      guard let server = try? LoopbackServer(), (try? Data(count: 8 << 20).write(to: file)) != nil else { return }
      defer { try? FileManager.default.removeItem(at: file) }
      server.on("*", at: .body(bytes: 10_000), .text("x").cut(after: .start, by: .reset))
      let transport = URLSessionTransport()
      for _ in 0..<200 { _ = try? await transport.send(TransportRequest(.put, server.url, body: .file(file))) }
    }
  }

  @Test func `a whole response does not, so that those above mean something`() async {
    await #expect(processExitsWith: .success) { await Self.fetch(.text("hello")) }
  }

  private static func fetch(_ response: LoopbackResponse) async {
    guard let server = try? LoopbackServer() else { return }
    server.on("*", response)
    _ = try? await URLSessionTransport().send(
      TransportRequest(.get, server.url, deadlines: Deadlines(idle: .milliseconds(500))))
  }
}
#endif
