import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import PersistenceTesting
import Testing

@testable import ExampleSupport
@testable import Flickr

/// Pages that were downloaded and cannot be stored.
@Suite struct FlickrRecentPhotosTests {
  private let folder: TemporaryFolder
  private let faults = StorageFaults()
  private let page = Lock(PhotoResponses.page)
  private let server: LoopbackServer
  private var store: URL { folder.url.appending(path: "flickr.store") }
  private var evidence: URL { folder.url.appending(path: "flickr.store.unreadable") }

  init() throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer()
    server.on("/") { [page] request in
      .json(request.query("method") == "flickr.places.getInfo" ? PhotoResponses.place : page.withLock { $0 })
    }
  }

  private func library() async throws -> PhotoLibrary {
    try await PhotoLibrary(store: store) { [faults] in faults.apply(to: &$0) }
  }

  private func recentPhotos(_ library: PhotoLibrary) throws -> RecentPhotos {
    try RecentPhotos(
      library: library, store: store, access: ServiceAccess(Flickr.service, .server(server.url, key: nil)))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a page that the store refuses is kept as evidence and not loaded again`() async throws {
    let library = try await library()
    let first = try recentPhotos(library)
    faults.fail(.inputOutput, at: 1, persistently: true)
    await #expect(throws: NotLoaded.self) { try await first.fetch { _ in } }
    faults.stop()
    await first.close()
    let files = try FileManager.default.contentsOfDirectory(at: evidence, includingPropertiesForKeys: nil)
    #expect(try files.map { try String(contentsOf: $0, encoding: .utf8) } == [PhotoResponses.page])

    let next = try recentPhotos(library)
    #expect(try await next.fetch { _ in }.fetched == PhotoResponses.count)
    await next.close()
    #expect(try await library.photos().shown.count == 4)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a page that can be neither read nor kept as evidence waits for the next fetch`() async throws {
    try Data().write(to: evidence)
    page.withLock { $0 = "junk" }
    let recent = try recentPhotos(try await library())
    await #expect(throws: Failure.self) { try await recent.fetch { _ in } }

    try FileManager.default.removeItem(at: evidence)
    page.withLock { $0 = PhotoResponses.page }
    let news = Lock<[String]>([])
    #expect(
      try await recent.fetch { new in
        if case .waitedInVain(let cause) = new { news.withLock { $0.append("\(cause)") } }
      }.fetched == PhotoResponses.count)
    #expect(news.withLock { $0 }.count == 1)
    await recent.close()
    let files = try FileManager.default.contentsOfDirectory(at: evidence, includingPropertiesForKeys: nil)
    #expect(try files.map { try String(contentsOf: $0, encoding: .utf8) } == ["junk"])
  }
}
