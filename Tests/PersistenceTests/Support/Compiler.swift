import Foundation

/// Runs swiftc on a file that imports what this test bundle was built from.
enum Compiler {
  struct Outcome: Sendable {
    let code: Int32
    let output: String
  }

  /// The build's modules lie beside the test bundle.
  static let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "Modules")
  private static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: String($0)).appending(path: "swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  static var isAvailable: Bool {
    compiler != nil && FileManager.default.fileExists(atPath: modules.appending(path: "Persistence.swiftmodule").path)
  }

  /// Errors about regions of isolation come only from the passes behind `-emit-sil`.
  static func compile(_ file: URL, defining name: String?) async throws -> Outcome {
    await gate.enter()
    defer { Task { await gate.leave() } }
    let log = FileManager.default.temporaryDirectory.appending(path: "compile-\(UUID().uuidString)")
    try Data().write(to: log)
    defer { try? FileManager.default.removeItem(at: log) }
    let process = Process()
    process.executableURL = compiler
    process.arguments =
      [
        "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library", "-module-name", "Cases",
        "-enable-upcoming-feature", "ExistentialAny", "-I", modules.path, "-Xcc",
        "-fmodule-map-file=\(packageRoot.appending(path: "Sources/CSQLite/module.modulemap").path)",
      ] + (name.map { ["-D", $0] } ?? []) + [file.path]
    let handle = try FileHandle(forWritingTo: log)
    process.standardOutput = handle
    process.standardError = handle
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return Outcome(code: process.terminationStatus, output: try String(contentsOf: log, encoding: .utf8))
  }

  /// Two compilers at a time.
  private static let gate = Gate(2)
}

/// Lets a number of tasks in at a time.
actor Gate {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ free: Int) { self.free = free }

  func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
