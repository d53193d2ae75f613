import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// One of the package's executables, run as a child process that has nothing of this one's but its environment.
struct Program {
  let name: String

  struct Output {
    /// The exit code; the signal's number, negative, where one ended it.
    let status: Int32
    let text: String
    let errors: String

    /// Standard output as JSON, which must be all there is.
    func json<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return try decoder.decode(Value.self, from: Data(text.utf8))
    }

    /// Standard output as one JSON value on each line.
    func jsonLines<Value: Decodable>(_: Value.Type = Value.self) throws -> [Value] {
      try text.split(separator: "\n").map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }
  }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - environment: Added to this process's environment.
  ///   - input: What it reads on standard input; nothing unless given.
  func callAsFunction(
    _ arguments: String..., environment: [String: String] = [:], input: String = ""
  ) async throws -> Output {
    try await self(arguments, environment: environment, input: input)
  }

  func callAsFunction(
    _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) async throws -> Output {
    let child = try start(arguments, environment: environment)
    child.type(input)
    child.endInput()
    return try await child.output()
  }

  /// Starts the program and does not wait.
  func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Child {
    try Child(Self.folder.appending(path: name).path, arguments, environment: environment)
  }

  /// Where the build puts executables: beside the test bundle.
  private static let folder: URL = {
    let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return bundle.path.hasSuffix(".xctest/Contents/MacOS")
      ? bundle.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent() : bundle
  }()
}
