public import Foundation

/// The toolchain's compiler, run on a file that imports what this test bundle was built from.
public enum Compiler {
  /// How the compiler ended, and its output.
  public struct Outcome: Sendable {
    public let succeeded: Bool
    public let output: String
  }

  public static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The build's modules, next to the test bundle.
  public static let modules = ChildProcess.products.appending(path: "Modules")

  private static let executable = ChildProcess.find("swiftc")

  /// Compiles a file by itself with the given flags, as Swift 6.
  public static func compile(
    _ file: URL, _ flags: [String], modules: URL = Compiler.modules
  ) async throws -> Outcome {
    guard let executable else { return Outcome(succeeded: false, output: "there is no swiftc on the PATH") }
    let maps = [
      packageRoot.appending(path: "Sources/CLarderSQLite/module.modulemap"),
      packageRoot.appending(path: "Sources/CLarderCurl/module.modulemap"),
      packageRoot.appending(path: "Sources/CLarderZlib/module.modulemap"),
      ChildProcess.products.appending(path: "CLarderFaults.build/module.modulemap"),
      ChildProcess.products.appending(path: "CLarderThreadSlot.build/module.modulemap"),
    ].flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    let output = try await gate.run {
      try await ChildProcess.run(
        executable,
        ["-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny", "-I", modules.path] + maps + flags
          + [file.path],
        errors: .joined)
    }
    return Outcome(succeeded: output.exit == .code(0), output: output.text)
  }

  /// Two compilers at a time.
  private static let gate = Gate(2)
}
