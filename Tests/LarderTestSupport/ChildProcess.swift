public import Foundation

/// A program run as a child of the test process.
///
/// It is started by `posix_spawn`. On Linux, Foundation's `Process` passes URLSession's sockets on, so that connections
/// of other tests stay open as long as the child lives, and it writes past the end of a buffer if very many files are
/// open.
public final class ChildProcess: Sendable {
  /// How a process ended.
  public enum Exit: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  /// All output of a process, and how it ended.
  public struct Output: Sendable {
    public let exit: Exit
    /// Standard output.
    public let text: String
    /// Standard error; empty if it was joined to standard output.
    public let errors: String
  }

  /// The child could not be started.
  public struct LaunchError: Error {
    public let executable: String
    public let code: Int32
  }

  public enum Errors: Sendable {
    /// To the test's own standard error.
    case inherited
    case collected
    /// To the same pipe as standard output.
    case joined
  }

  public let identifier: pid_t
  private let input: FileHandle
  private let output: Collector
  private let errors: Collector?
  private let end: Task<Exit, Never>

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - executable: The program's file.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: Added to this process's.
  /// - errors: The destination of its standard error.
  public init(
    _ executable: URL, _ arguments: [String] = [], environment: [String: String] = [:], errors: Errors = .collected
  ) throws {
    let (inputReader, inputWriter) = try Self.pipe()
    let (outputReader, outputWriter) = try Self.pipe()
    let (errorReader, errorWriter) = try Self.pipe()
    let ends = [inputReader, outputWriter, errorWriter]
    defer { for descriptor in ends { close(descriptor) } }
    let errorTarget: Int32? =
      switch errors {
      case .inherited: nil
      case .collected: errorWriter
      case .joined: outputWriter
      }
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    do {
      identifier = try Self.spawn(
        executable.path, [executable.path] + arguments, all.map { "\($0)=\($1)" },
        [0: inputReader, 1: outputWriter, 2: errorTarget])
    } catch {
      for descriptor in [inputWriter, outputReader, errorReader] { close(descriptor) }
      throw error
    }
    input = FileHandle(fileDescriptor: inputWriter, closeOnDealloc: true)
    output = Collector(outputReader)
    if errors == .collected {
      self.errors = Collector(errorReader)
    } else {
      self.errors = nil
      close(errorReader)
    }
    let child = identifier
    end = Task { await Self.exit(of: child) }
  }

  /// Runs a program to its end; cancelling the task, as a time limit does, ends it immediately.
  ///
  /// - Parameters:
  ///   - executable: The program's file.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: Added to this process's.
  /// - input: Its standard input.
  /// - errors: The destination of its standard error.
  public static func run(
    _ executable: URL, _ arguments: [String] = [], environment: [String: String] = [:], input: String = "",
    errors: Errors = .collected
  ) async throws -> Output {
    let child = try ChildProcess(executable, arguments, environment: environment, errors: errors)
    child.write(input)
    child.endInput()
    return await withTaskCancellationHandler {
      await child.output()
    } onCancel: {
      child.signal(SIGKILL)
    }
  }

  /// Standard output, line by line as it arrives, for one reader.
  public var lines: AsyncStream<String> { output.lines }

  /// All output of the program, after it has ended.
  public func output() async -> Output {
    let exit = await exit()
    return await Output(exit: exit, text: output.text(), errors: errors?.text() ?? "")
  }

  /// Waits until the program has ended.
  public func exit() async -> Exit { await end.value }

  /// Sends a signal; the process may have ended already.
  public func signal(_ number: Int32) { _ = kill(identifier, number) }

  /// Writes to its standard input. A child that has stopped reading is not an error.
  public func write(_ text: String) { try? input.write(contentsOf: Data(text.utf8)) }

  /// Closes its standard input.
  public func endInput() { try? input.close() }

  /// Returns the program with a name on the `PATH`, or nil if there is none.
  public static func find(_ name: String) -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// The build's folder for executables, next to the test bundle. On macOS a helper runs the tests and learns the path
  /// from its arguments.
  public static let products: URL = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let folder = URL(filePath: bundle).resolvingSymlinksInPath().deletingLastPathComponent()
    return folder.path.hasSuffix(".xctest/Contents/MacOS")
      ? folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent() : folder
  }()
}
