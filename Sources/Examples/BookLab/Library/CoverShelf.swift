import ExampleSupport
import FetchKit
import Foundation

/// The covers of the library's books, stored as files next to the library's store.
struct CoverShelf: Sendable {
  let folder: URL
  private let access: ServiceAccess
  private let session: DownloadSession

  /// - Throws: `DownloadSessionError`, for example if another program is using the folder.
  init(store: URL, access: ServiceAccess) throws {
    folder = store.deletingLastPathComponent().appending(path: "\(store.lastPathComponent).covers")
    self.access = access
    session = try DownloadSession(identifier: "BookLab covers", directory: folder) { configuration in
      // The server's address may have changed since the download was started.
      configuration.provider = { task, _ in
        let path = task.request.url.path(percentEncoded: true) + (task.request.url.query().map { "?\($0)" } ?? "")
        return HTTPRequest(.get, access.coverURL(path) ?? task.request.url)
      }
    }
  }

  /// The file of a book's cover. Ids come from a server, so characters other than letters, digits, hyphens and
  /// underscores are replaced.
  func file(of book: BookData) -> URL {
    let name = book.id.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : "_" }
    return folder.appending(path: "\(String(name)).jpg")
  }

  func hasCover(of book: BookData) -> Bool {
    FileManager.default.fileExists(atPath: file(of: book).path)
  }

  /// Downloads missing covers. The downloads of a program that was killed continue where they stopped.
  ///
  /// - Parameter progress: Receives the number of finished downloads, the total, and the number of bytes.
  /// - Returns: The failed downloads, by title.
  func fill(with books: [BookData], progress: (_ done: Int, _ of: Int, _ bytes: Int64) -> Void) async throws
    -> [(title: String, reason: DownloadError)]
  {
    var names: [String: String] = [:]
    for book in books where !hasCover(of: book) {
      guard let url = book.imageURL.flatMap({ URL(string: $0) }) else { continue }
      names[book.id] = book.title
      try await session.start(url, named: book.id, DownloadOptions(destination: file(of: book)))
    }
    // Other downloads were started by an earlier process for books that have since been removed.
    for task in await session.tasks() where names[task.name] == nil { try await session.remove(task.name) }

    var failures: [(title: String, reason: DownloadError)] = []
    var done = 0
    var bytes: Int64 = 0
    progress(0, names.count, 0)
    for await event in session.events {
      switch event.result {
      case .success(let file): bytes += file.byteCount
      case .failure(let failure): failures.append((names[event.name] ?? event.name, failure))
      }
      event.done()
      done += 1
      progress(done, names.count, bytes)
    }
    await session.close()
    return failures
  }
}
