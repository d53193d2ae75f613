import FetchKit
import Foundation
import LarderTestSupport
import Testing

@Suite struct DocumentationServerTests {
  @Test(.timeLimit(.minutes(1)))
  func `the documentation server prints its address once it is ready, even into a pipe`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-docs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("<h1>Larder</h1>".utf8).write(to: folder.appending(path: "index.html"))

    let server = try ChildProcess(ChildProcess.products.appending(path: "DocumentationServer"), [folder.path, "0"])
    defer { server.signal(SIGKILL) }
    let line = try #require(
      await withTaskCancellationHandler {
        await server.lines.first { _ in true }
      } onCancel: {
        server.signal(SIGKILL)
      })
    let url = try #require(line.split(separator: ",").first.flatMap { URL(string: String($0)) })
    #expect(try await FetchClient().fetch(url, .string) == "<h1>Larder</h1>")
  }
}
