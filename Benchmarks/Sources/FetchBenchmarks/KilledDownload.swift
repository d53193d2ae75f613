import BenchmarkSupport
import FetchKit
import Foundation

/// A download of 1 GB in a process of its own, which is killed past the middle, and resumed here.
enum KilledDownload {
  static let childArgument = "download"

  static var row: Benchmark {
    Benchmark(
      "fetched twice of 1 GB, killed at 600 MB", unit: "MiB", must: 8, goal: 8, once: true,
      ours: { try await Benchmark.inFolder { try await fetchedTwice(in: $0) } })
  }

  /// What the child does, until it is killed.
  static func download() async -> Never {
    do {
      let (folder, url) = (CommandLine.arguments[2], CommandLine.arguments[3])
      let session = try DownloadSession(identifier: "bench", directory: URL(filePath: folder))
      try await session.start(url, named: "file")
      _ = try await session.result(of: "file")
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func fetchedTwice(in folder: URL) async throws -> Double {
    guard let executable = Bundle.main.executableURL else { throw CocoaError(.executableNotLoadable) }
    let child = Process()
    child.executableURL = executable
    child.arguments = [childArgument, folder.path, try Server.url("/1g").absoluteString]
    try child.run()
    while try length(in: folder) < 600 << 20, child.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    kill(child.processIdentifier, SIGKILL)
    child.waitUntilExit()
    let received = try length(in: folder)

    let statuses = Statuses()
    let session = try DownloadSession(identifier: "bench", directory: folder) {
      $0.client = FetchClient { $0.monitors = [statuses] }
    }
    guard let kept = await session.task(named: "file")?.receivedBytes else { throw WrongResult("no download is left") }
    let file = try await session.result(of: "file").get()
    await session.close()
    // One answer, of the rest: that it was asked for from where the kept bytes end is the session's own word.
    guard file.byteCount == Server.largest, statuses.all == [206] else {
      throw WrongResult("\(file), by answers \(statuses.all)")
    }
    return Double(Int64(received) - kept) / Double(1 << 20)
  }

  /// What the server answered.
  ///
  /// `@unchecked Sendable`: all access is under the lock.
  private final class Statuses: EventMonitor, @unchecked Sendable {
    private let lock = NSLock()
    private var statuses: [Int] = []

    var all: [Int] { lock.withLock { statuses } }

    func receive(_ event: FetchEvent) {
      if case .received(let status, _) = event.kind { lock.withLock { statuses.append(status) } }
    }
  }

  private static func length(in folder: URL) throws -> Int {
    let parts = folder.appending(path: "bench/Parts")
    guard FileManager.default.fileExists(atPath: parts.path) else { return 0 }
    let files = try FileManager.default.contentsOfDirectory(at: parts, includingPropertiesForKeys: [.fileSizeKey])
    return try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }.max() ?? 0
  }
}
