import ExampleSupport
import FetchKit
import Foundation

/// A cache of pictures on disk with a size limit. The least recently used pictures are removed first.
actor ThumbnailCache {
  private let folder: URL
  private let limit: Int
  private let client: FetchClient
  /// How many pictures were fetched, and how many were already cached.
  private(set) var fetched = 0
  private(set) var reused = 0

  /// - Parameters:
  ///   - folder: The folder for the pictures, which must contain nothing else.
  ///   - limit: The size limit in bytes.
  init(folder: URL, limit: Int, client: FetchClient) throws {
    try Files.makeFolder(folder.path)
    self.folder = folder
    self.limit = limit
    self.client = client
  }

  /// Returns the picture from disk if it is cached, or otherwise from the server.
  func picture(named name: String, at url: URL) async throws -> Data {
    let file = folder.appending(path: name)
    if FileManager.default.fileExists(atPath: file.path) {
      // The modification date serves as the date of the last use.
      try FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: file.path)
      reused += 1
      return try Data(contentsOf: file)
    }
    let picture = try await client.fetch(url, .data)
    try picture.write(to: file, options: .atomic)
    fetched += 1
    try makeRoom()
    return picture
  }

  private func makeRoom() throws {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys)).map {
      (url: $0, values: try $0.resourceValues(forKeys: keys))
    }
    var excess = files.reduce(-limit) { $0 + ($1.values.fileSize ?? 0) }
    guard excess > 0 else { return }
    let oldestFirst = files.sorted {
      ($0.values.contentModificationDate ?? .distantPast) < ($1.values.contentModificationDate ?? .distantPast)
    }
    for file in oldestFirst where excess > 0 {
      try FileManager.default.removeItem(at: file.url)
      excess -= file.values.fileSize ?? 0
    }
  }
}
