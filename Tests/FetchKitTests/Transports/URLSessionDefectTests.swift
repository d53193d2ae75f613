import FetchKit
import FetchKitTesting
import Foundation
import Testing

#if os(Linux)
/// What URLSession on Linux does not survive, each in a process of its own. The day one of these fails the toolchain has
/// been repaired, and the row in the fault matrix can say what is expected instead.
@Suite(.timeLimit(.minutes(10)), .serialized) struct URLSessionDefectTests {
  @Test func `a close after the status line ends the process`() async {
    await #expect(processExitsWith: .failure) { await Self.fetch(.text("hello").cut(after: .head(bytes: 17))) }
  }

  @Test func `a close in the header ends the process`() async {
    await #expect(processExitsWith: .failure) { await Self.fetch(.text("hello").cut(after: .head(bytes: 40))) }
  }

  @Test func `a whole response does not, so that the two above mean something`() async {
    await #expect(processExitsWith: .success) { await Self.fetch(.text("hello")) }
  }

  private static func fetch(_ response: LoopbackResponse) async {
    guard let server = try? LoopbackServer() else { return }
    server.on("*", response)
    _ = try? await URLSessionTransport().send(TransportRequest(.get, server.url))
  }
}
#endif
