import Foundation
import LarderTestSupport

/// One of the package's executables, run as a child process.
struct Program {
  let name: String

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - environment: Added to this process's environment.
  /// - input: The program's standard input; empty unless given.
  func callAsFunction(
    _ arguments: String..., environment: [String: String] = [:], input: String = ""
  ) async throws -> ChildProcess.Output {
    try await self(arguments, environment: environment, input: input)
  }

  func callAsFunction(
    _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) async throws -> ChildProcess.Output {
    try await ChildProcess.run(
      executable, arguments, environment: Self.environment.merging(environment) { $1 }, input: input)
  }

  /// Starts the program and does not wait.
  func start(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(executable, arguments, environment: Self.environment)
  }

  /// A store that a test forgets to name is refused, instead of using the user's own.
  private static let environment = ["XDG_DATA_HOME": "/dev/null"]

  private var executable: URL { ChildProcess.products.appending(path: name) }
}

extension ChildProcess {
  struct MissingOutputError: Error {
    let expected: String
  }

  /// Waits for a line that contains this text.
  @discardableResult
  func line(with part: String) async throws -> String {
    for await line in lines where line.contains(part) { return line }
    throw MissingOutputError(expected: part)
  }
}

extension ChildProcess.Output {
  /// The exit code; the signal's number, negated, if a signal ended the program.
  var status: Int32 {
    switch exit {
    case .code(let code): code
    case .signal(let number): -number
    }
  }

  /// Standard output as JSON, which must be its only content.
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
