import Foundation
import LarderTestSupport

/// The sqlite3 command: another program that writes to a store.
enum SQLiteShell {
  private static let executable = ChildProcess.find("sqlite3")

  static var isAvailable: Bool { executable != nil }

  struct Failed: Error {
    let output: String
  }

  @discardableResult
  static func run(_ sql: String, on file: URL) async throws -> String {
    guard let executable else { throw Failed(output: "there is no sqlite3 command") }
    let output = try await ChildProcess.run(executable, [file.path, sql], errors: .joined)
    guard output.exit == .code(0) else { throw Failed(output: output.text) }
    return output.text
  }
}
