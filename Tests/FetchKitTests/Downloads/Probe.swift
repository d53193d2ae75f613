import FetchKitTesting
import Foundation

@testable import FetchKit

/// The process that downloads, and what it said.
struct Probe {
  static let executable = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "DownloadProbe")

  var directory: URL
  var url: URL
  var digest: DownloadDigest
  var interval: Int64

  struct Outcome {
    var lines: [String]
    var wasKilled: Bool
    var status: Int32

    /// The tokens of the events it was told, by how they ended.
    func tokens(_ kind: String) -> [String] {
      lines.filter { $0.hasPrefix(kind + " ") }.map { String($0.split(separator: " ")[1]) }
    }
  }

  /// Runs to its end, or to the point where it ends itself.
  func run(killAt point: String? = nil, environment: [String: String] = [:]) async throws -> Outcome {
    try await start(killAt: point, environment: environment).outcome()
  }

  func start(killAt point: String? = nil, environment: [String: String] = [:]) throws -> Running {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = [directory.path, url.absoluteString, digest.description, "\(interval)"]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let point { process.environment?["PROBE_KILL_AT"] = point }
    let pipe = Pipe()
    process.standardOutput = pipe
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    return Running(process: process, pipe: pipe, ends: ends)
  }

  struct Running {
    var process: Process
    var pipe: Pipe
    var ends: AsyncStream<Void>

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
    }

    func outcome() async throws -> Outcome {
      for await _ in ends {}
      let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      return Outcome(
        lines: text.split(separator: "\n").map(String.init),
        wasKilled: process.terminationReason == .uncaughtSignal, status: process.terminationStatus)
    }
  }

  /// How many bytes the part on disk has; nil where there is none.
  func partLength() throws -> Int? {
    let parts = directory.appending(path: "probe/Parts")
    guard FileManager.default.fileExists(atPath: parts.path) else { return nil }
    let names = try FileManager.default.contentsOfDirectory(atPath: parts.path)
    return try names.map { try Data(contentsOf: parts.appending(path: $0)).count }.max()
  }

  var file: URL { directory.appending(path: "probe/Files/file") }
}
