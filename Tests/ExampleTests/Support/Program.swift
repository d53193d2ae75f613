import Foundation

/// One of the package's executables, run as a child process.
struct Program {
  let name: String

  struct Output {
    let status: Int32
    let text: String
    let errors: String

    /// Standard output as JSON, which must be all there is.
    func json<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
      try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
  }

  /// Runs the program to its end.
  ///
  /// - Parameter environment: Added to this process's environment.
  func callAsFunction(_ arguments: String..., environment: [String: String] = [:]) async throws -> Output {
    try await self(arguments, environment: environment)
  }

  func callAsFunction(_ arguments: [String], environment: [String: String] = [:]) async throws -> Output {
    let process = Process()
    process.executableURL = Self.folder.appending(path: name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    return try await withCheckedThrowingContinuation { continuation in
      // A thread of its own: reading to the end blocks, and the test's threads have other work.
      Thread.detachNewThread {
        do {
          try process.run()
          let errorReader = Reader(errors)
          let text = try output.fileHandleForReading.readToEnd() ?? Data()
          let errorText = try errorReader.finish()
          process.waitUntilExit()
          continuation.resume(
            returning: Output(
              status: process.terminationStatus,
              text: String(decoding: text, as: UTF8.self),
              errors: String(decoding: errorText, as: UTF8.self)))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  /// Where the build puts executables: beside the test bundle.
  private static let folder: URL = {
    let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return bundle.path.hasSuffix(".xctest/Contents/MacOS")
      ? bundle.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent() : bundle
  }()
}

/// Reads a pipe to its end on a thread of its own, so that a child that fills one pipe never waits for the other.
private final class Reader: @unchecked Sendable {
  // `result` is written before `done` is signalled and read after it was waited for.
  private let done = DispatchSemaphore(value: 0)
  private var result: Result<Data, any Error> = .success(Data())

  init(_ pipe: Pipe) {
    Thread.detachNewThread { [self] in
      result = Result { try pipe.fileHandleForReading.readToEnd() ?? Data() }
      done.signal()
    }
  }

  func finish() throws -> Data {
    done.wait()
    return try result.get()
  }
}
