import Foundation

/// The test worker as a process of its own.
final class Worker {
  private let process: ChildProcess

  init(_ arguments: String...) throws {
    process = try ChildProcess(Build.product("PersistenceTestWorker"), arguments)
  }

  /// The lines it prints, as they come.
  var lines: AsyncStream<String> { process.lines }

  func kill() { process.kill() }

  /// Waits for its end.
  func status() async -> Int32 { await process.status() }
}
