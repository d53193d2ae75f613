import Foundation

/// Runs swiftc on a file that imports what this test bundle was built from.
enum Compiler {
  struct Outcome: Sendable {
    let code: Int32
    let output: String
  }

  static let folder = Build.packageRoot.appending(path: "Tests/PersistenceTests/MustNotCompile")

  /// Errors about regions of isolation come only from the passes behind `-emit-sil`.
  static func compile(_ file: URL, defining name: String? = nil) async throws -> Outcome {
    try await run(["-emit-sil", "-o", "/dev/null"] + (name.map { ["-D", $0] } ?? []) + [file.path])
  }

  static func run(_ arguments: [String]) async throws -> Outcome {
    guard let compiler = ChildProcess.find("swiftc") else {
      throw Build.Missing(description: "expected swiftc in PATH, as it is where the package is built")
    }
    let modules = try Build.product("Modules/Persistence.swiftmodule").deletingLastPathComponent()
    let moduleMap = Build.packageRoot.appending(path: "Sources/CSQLite/module.modulemap")
    await gate.enter()
    defer { Task { await gate.leave() } }
    let process = try ChildProcess(
      compiler,
      [
        "-swift-version", "6", "-parse-as-library", "-module-name", "Cases", "-enable-upcoming-feature",
        "ExistentialAny", "-I", modules.path, "-Xcc", "-fmodule-map-file=\(moduleMap.path)",
      ] + arguments)
    let output = await process.output.value
    return Outcome(code: await process.status(), output: output)
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
