import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct FolderAttributesTests: DownloadSuite {
  let server: LoopbackServer
  let scratch: Scratch

  init() throws {
    server = try LoopbackServer()
    scratch = try Scratch()
    server.on(.get, "/file") { _ in
      LoopbackResponse(status: 200, headers: ["Cache-Control": "max-age=60"], body: .data(Data("text".utf8)))
    }
  }

  private func expectExcluded(_ url: URL) throws {
    #if canImport(Darwin)
    #expect(try url.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup == true)
    #endif
  }

  @Test func `a download session with a protection class and without backups is used like any other`() async throws {
    let session = try open { configuration in
      configuration.fileProtection = .completeUntilFirstUserAuthentication
      configuration.isExcludedFromBackup = true
    }
    try await session.start(url, named: "one")
    #expect(try await session.result(of: "one").get().byteCount == 4)
    try expectExcluded(scratch.url.appending(path: "test"))
    await session.close()
  }

  @Test func `a cache with a protection class and without backups is used like any other`() async throws {
    let folder = scratch.url.appending(path: "cache")
    let cache = try HTTPCache(directory: folder) { options in
      options.fileProtection = .completeUntilFirstUserAuthentication
      options.isExcludedFromBackup = true
    }
    let client = FetchClient { $0.cache = cache }
    #expect(try await client.fetch(url, .response).source == .network)
    #expect(try await client.fetch(url, .response).source == .fresh)
    try expectExcluded(folder)
  }
}
