import ExampleSupport
import FetchKit
import Foundation

/// The covers of the library's books, as files beside its store.
struct CoverShelf: Sendable {
  let folder: URL
  private let access: ServiceAccess
  private let session: DownloadSession

  /// - Throws: `DownloadError`, as when another program has the shelf.
  init(store: URL, access: ServiceAccess) throws {
    folder = store.deletingLastPathComponent().appending(path: "\(store.lastPathComponent).covers")
    self.access = access
    session = try DownloadSession(identifier: "BookLab covers", directory: folder) { configuration in
      // The server may be elsewhere now than when the download was begun.
      configuration.provider = { task, _ in
        let path = task.request.url.path(percentEncoded: true) + (task.request.url.query().map { "?\($0)" } ?? "")
        return HTTPRequest(.get, access.coverURL(path) ?? task.request.url)
      }
    }
  }

  /// Where a book's cover is, or will be. Ids come from a server: only letters and digits of them make a file name.
  func file(of book: BookData) -> URL {
    let name = book.id.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : "_" }
    return folder.appending(path: "\(String(name)).jpg")
  }

  func hasCover(of book: BookData) -> Bool {
    FileManager.default.fileExists(atPath: file(of: book).path)
  }

  /// Downloads what is missing. What a killed program had begun goes on where it was.
  ///
  /// - Parameter progress: Told the part that is done, and how many bytes came.
  /// - Returns: Why covers could not be had, by title.
  func fill(with books: [BookData], progress: (_ done: Int, _ of: Int, _ bytes: Int64) -> Void) async throws
    -> [(title: String, reason: DownloadFailure)]
  {
    var names: [String: String] = [:]
    for book in books where !hasCover(of: book) {
      guard let url = book.imageURL.flatMap({ URL(string: $0) }) else { continue }
      names[book.id] = book.title
      try await session.start(url, named: book.id, DownloadOptions(destination: file(of: book)))
    }
    // Those of books that are gone were begun by an earlier program, and nobody wants them any more.
    for task in await session.tasks() where names[task.name] == nil { try await session.forget(task.name) }

    var failures: [(title: String, reason: DownloadFailure)] = []
    var done = 0
    var bytes: Int64 = 0
    progress(0, names.count, 0)
    guard !names.isEmpty else { return [] }
    for await event in session.events {
      switch event.result {
      case .success(let file): bytes += file.byteCount
      case .failure(let failure): failures.append((names[event.name] ?? event.name, failure))
      }
      event.done()
      done += 1
      progress(done, names.count, bytes)
      if done == names.count { break }
    }
    await session.close()
    return failures
  }
}
