import Foundation
import LarderTestSupport

/// Files next to these tests that are compiled like a client's code.
enum ClientCode {
  static func file(_ name: String) -> URL {
    Compiler.packageRoot.appending(path: "Tests/PersistenceTests/MustNotCompile").appending(path: name)
  }

  static func compile(_ name: String, _ flags: [String]) async throws -> Compiler.Outcome {
    try await Compiler.compile(file(name), ["-parse-as-library", "-module-name", "Cases"] + flags)
  }
}
