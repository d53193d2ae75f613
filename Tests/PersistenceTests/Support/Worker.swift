import Foundation

/// The test worker as a process of its own.
final class Worker {
  private let process = Process()
  private let output = Pipe()
  private let ended = AsyncStream<Void>.makeStream()

  static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "PersistenceTestWorker")

  static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

  init(_ arguments: String...) throws {
    process.executableURL = Worker.executable
    process.arguments = arguments
    process.standardOutput = output
    let finish = ended.continuation
    process.terminationHandler = { _ in finish.finish() }
    try process.run()
  }

  /// The lines it prints, as they come.
  var lines: AsyncStream<String> {
    let handle = output.fileHandleForReading
    return AsyncStream { continuation in
      Thread.detachNewThread {
        var rest = Data()
        while case let chunk = handle.availableData, !chunk.isEmpty {
          rest.append(chunk)
          while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
            rest = Data(rest[rest.index(after: end)...])
          }
        }
        continuation.finish()
      }
    }
  }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Waits for its end.
  func status() async -> Int32 {
    for await _ in ended.stream {}
    return process.terminationStatus
  }
}
