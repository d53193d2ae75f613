import Foundation

/// The sqlite3 command: another program that writes to a store.
enum SQLiteShell {
  private static let executable = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: String($0)).appending(path: "sqlite3") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  static var isAvailable: Bool { executable != nil }

  struct Failed: Error {
    let output: String
  }

  @discardableResult
  static func run(_ sql: String, on file: URL) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = executable
    process.arguments = [file.path, sql]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(output: text) }
    return text
  }
}
