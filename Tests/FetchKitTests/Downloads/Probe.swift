import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport

/// The process that downloads, and its output.
struct Probe {
  static let executable = ChildProcess.products.appending(path: "DownloadProbe")

  var directory: URL
  var url: URL
  var digest: DownloadDigest
  var interval: Int64
  /// Whether an end is reported only when it is on the disk.
  var isDurable = false
  /// The file's destination; nil for the session's own folder.
  var destination: URL?

  struct Outcome {
    var lines: [String]
    var wasKilled: Bool

    /// The tokens of the events received, grouped by outcome.
    func tokens(_ kind: String) -> [String] {
      lines.filter { $0.hasPrefix(kind + " ") }.map { String($0.split(separator: " ")[1]) }
    }
  }

  /// Runs to its end, or to the point where it kills itself.
  func run(killAt point: String? = nil, environment: [String: String] = [:]) async throws -> Outcome {
    try await start(killAt: point, environment: environment).outcome()
  }

  func start(killAt point: String? = nil, environment: [String: String] = [:]) throws -> Running {
    var environment = environment
    environment["PROBE_KILL_AT"] = point
    environment["PROBE_DURABLE"] = isDurable ? "1" : nil
    environment["PROBE_DESTINATION"] = destination?.path
    return Running(
      process: try ChildProcess(
        Self.executable, [directory.path, url.absoluteString, digest.description, "\(interval)"],
        environment: environment))
  }

  struct Running {
    var process: ChildProcess

    func kill() {
      process.signal(SIGKILL)
    }

    func outcome() async -> Outcome {
      let output = await process.output()
      return Outcome(
        lines: output.text.split(separator: "\n").map(String.init), wasKilled: output.exit == .signal(SIGKILL))
    }
  }

  /// How many bytes the part on disk has; nil if there is none.
  func partLength() throws -> Int? {
    try parts().filter { $0.pathExtension == "part" }.map { try Data(contentsOf: $0).count }.max()
  }

  /// The files in the folder of the parts.
  func parts() throws -> [URL] {
    let folder = directory.appending(path: "probe/Parts")
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).map { folder.appending(path: $0) }
  }

  var file: URL { destination ?? directory.appending(path: "probe/Files/file") }
}
