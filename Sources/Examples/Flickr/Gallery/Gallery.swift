import ExampleSupport
import FetchKit
import Foundation

/// Writes a web page with photos and their pictures.
struct Gallery: Sendable {
  let folder: URL
  let access: ServiceAccess
  let cache: ThumbnailCache

  /// A summary of what was written.
  struct Report: Encodable, Equatable {
    let page: String
    let photos: Int
    /// How many pictures came from the server, and how many from the cache.
    let fetched: Int
    let cached: Int
    let failed: Int
    /// The reason for the first failure.
    let failure: String?

    private enum CodingKeys: String, CodingKey { case page, photos, fetched, cached, failed }
  }

  /// - Parameters:
  ///   - out: The folder for the page, which is created if it is missing.
  ///   - store: The store. The cache is placed next to it.
  ///   - cacheLimit: The size limit of the cache in bytes.
  init(out: String, store: URL, access: ServiceAccess, cacheLimit: Int) throws {
    folder = URL(filePath: out, directoryHint: .isDirectory)
    self.access = access
    cache = try ThumbnailCache(
      folder: store.deletingLastPathComponent().appending(path: "\(store.lastPathComponent).thumbnails"),
      limit: cacheLimit, client: FetchClient { $0.retry = .standard })
    try Files.makeFolder(folder.appending(path: "thumbnails").path)
  }

  /// - Parameter progress: Receives the number of pictures that are ready.
  func write(_ photos: [PhotoRow], progress: @escaping @Sendable (_ done: Int) -> Void) async throws -> Report {
    let pictures = Lock<[String: String]>([:])
    let report = await Refresh { $0.maxConcurrentItems = 4 }.run(photos) { photo in
      let name = try await copyPicture(of: photo)
      progress(
        pictures.withLock { pictures in
          pictures[photo.id] = name
          return pictures.count
        })
      return .changed
    }
    let files = pictures.withLock { $0 }
    let page = GalleryPage(entries: photos.map { ($0, files[$0.id]) })
    let file = folder.appending(path: "index.html").path
    try Files.write(Data(page.html.utf8), to: file)
    return Report(
      page: file, photos: photos.count, fetched: await cache.fetched, cached: await cache.reused,
      failed: report.failed, failure: report.failures.first?.error.sentence)
  }

  /// - Returns: The name of the picture's file, relative to the page.
  private func copyPicture(of photo: PhotoRow) async throws -> String {
    // Ids and secrets come from a server. Characters other than ASCII letters, digits and underscores are removed from
    // the file name.
    let name = "\(photo.id)_\(photo.secret)".filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } + ".jpg"
    guard let url = access.thumbnailURL(of: photo) else { throw Failure("“\(photo.shownTitle)” has no picture") }
    try await cache.picture(named: name, at: url).write(
      to: folder.appending(path: "thumbnails/\(name)"), options: .atomic)
    return "thumbnails/\(name)"
  }
}
