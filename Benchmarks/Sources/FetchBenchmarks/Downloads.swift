import BenchmarkSupport
import FetchKit
import Foundation

extension Benchmark {
  /// What named, journalled downloads cost beside fetches that a kill would lose.
  static var downloads: [Benchmark] { [many("/1k"), many("/40k"), manyDurable, large, KilledDownload.row] }

  private static let count = 1000
  private static let client = FetchClient()
  private static let plainClient = FetchClient { $0.limits.body = Server.largest }

  /// From the first start to the last event acknowledged, every file in place under its name. The plain fetches write
  /// to their names at once: half a file can be seen, and a kill loses all that is under way. Neither waits for the
  /// disk.
  private static func many(_ path: String) -> Benchmark {
    Benchmark(
      "1 000 downloads of \(path.dropFirst()), 4 at a time", unit: "ms",
      ours: { try await session(path, .periodic) },
      peers: [
        Peer("fetch and write", must: 1 / 1.3) { try await plain(path) { try $0.write(to: $1) } },
        Peer("fetch and write atomically") { try await plain(path) { try $0.write(to: $1, options: .atomic) } },
      ])
  }

  /// The same when each file and its name have to be on the disk before anybody is told.
  private static var manyDurable: Benchmark {
    Benchmark(
      "the same, on the disk before they are told", unit: "ms", ours: { try await session("/1k", .beforeEvent) },
      peers: [Peer("fetch, write and sync") { try await plain("/1k", write: writeSynced) }])
  }

  private static func session(_ path: String, _ durability: DownloadSession.Durability) async throws -> Double {
    try await inFolder { folder in
      let session = try DownloadSession(identifier: "bench", directory: folder) {
        $0.client = client
        $0.durability = durability
      }
      let url = try Server.url(path)
      let time = try await asyncMilliseconds {
        for number in 0..<count { try await session.start(url, named: "file \(number)") }
        for await event in session.events {
          guard case .success = event.result else { throw WrongResult("\(event.result)") }
          event.done()
        }
      }
      try check(session.filesDirectory, path)
      await session.close()
      return time
    }
  }

  private static func plain(
    _ path: String, write: @escaping @Sendable (Data, URL) throws -> Void
  ) async throws -> Double {
    try await inFolder { folder in
      let url = try Server.url(path)
      let time = try await asyncMilliseconds {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for lane in 0..<4 {
            group.addTask {
              for number in stride(from: lane, to: count, by: 4) {
                try write(try await plainClient.fetch(url, .data), folder.appending(path: "file \(number)"))
              }
            }
          }
          try await group.waitForAll()
        }
      }
      try check(folder, path)
      return time
    }
  }

  private static let writeSynced: @Sendable (Data, URL) throws -> Void = { data, url in
    try data.write(to: url)
    for path in [url.path, url.deletingLastPathComponent().path] {
      let descriptor = open(path, O_RDONLY)
      defer { close(descriptor) }
      guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
  }

  private static func check(_ folder: URL, _ path: String) throws {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
    let sizes = try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
    guard sizes == Array(repeating: Server.sizes[path] ?? 0, count: count) else {
      throw WrongResult("\(files.count) files, \(sizes.reduce(0, +)) bytes")
    }
  }

  /// One large file; what is beyond the peer is the journal and all the bookkeeping. In memory, where there is a file
  /// system for that: on a disk the syncs, which both do alike, would hide it.
  private static var large: Benchmark {
    Benchmark(
      "a download of 500 MB with its journal", unit: "ms",
      ours: {
        try await inFolder(inMemory) { folder in
          let session = try DownloadSession(identifier: "bench", directory: folder) { $0.client = client }
          let url = try Server.url("/500m")
          let time = try await asyncMilliseconds {
            try await session.start(url, named: "file")
            let file = try await session.result(of: "file").get()
            guard file.byteCount == 500 << 20 else { throw WrongResult("\(file)") }
          }
          await session.close()
          return time
        }
      },
      peers: [
        Peer("stream, write and sync", must: 0.97) {
          try await inFolder(inMemory) { folder in
            let url = try Server.url("/500m")
            return try await asyncMilliseconds { try await stream(url, to: folder.appending(path: "file")) }
          }
        }
      ])
  }

  private static let inMemory: URL? = {
    let folder = URL(filePath: "/dev/shm")
    return FileManager.default.isWritableFile(atPath: folder.path) ? folder : nil
  }()

  private static func stream(_ url: URL, to file: URL) async throws {
    let part = file.appendingPathExtension("part")
    let descriptor = open(part.path, O_RDWR | O_CREAT, 0o644)
    defer { close(descriptor) }
    var written = 0
    var unsynced = 0
    for try await chunk in try await plainClient.stream(url) {
      let count = chunk.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count == chunk.count else { throw CocoaError(.fileWriteUnknown) }
      written += count
      unsynced += count
      guard unsynced >= 8 << 20 else { continue }
      fdatasync(descriptor)
      unsynced = 0
    }
    fdatasync(descriptor)
    guard written == 500 << 20 else { throw WrongResult("\(written) bytes") }
    try FileManager.default.moveItem(at: part, to: file)
  }

  static func inFolder<Result>(
    _ parent: URL? = nil, _ body: (URL) async throws -> Result
  ) async throws -> Result {
    let folder = (parent ?? FileManager.default.temporaryDirectory).appending(path: "larder-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do {
        try FileManager.default.removeItem(at: folder)
      } catch {
        print("could not remove \(folder.path): \(error)")
      }
    }
    return try await body(folder)
  }
}
